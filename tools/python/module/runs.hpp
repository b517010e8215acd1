#pragma once

#include <pybind11/pybind11.h>

/// Runs of scenarios in the process: _core.execute().
namespace lagnet::python {

void declare_runs(pybind11::module_& module);

}  // namespace lagnet::python
