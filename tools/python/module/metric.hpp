#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "scenarios/assembly/metric.hpp"

/// A class of lagnet.Metric as a metric.
namespace lagnet::python {

/// Needs the interpreter's lock, which the metric's value takes itself. What that throws is that of in_python().
MadeMetric metric_of(std::string name, pybind11::object instance);

/// The class of what metrics see of the problem.
void declare_metrics(pybind11::module_& module);

}  // namespace lagnet::python
