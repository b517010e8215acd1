#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "scenarios/json/diagnostics.hpp"

namespace lagnet::python {

/// The instance of a class with these options. `base` is what it derives from: "Method", "Loss", "Regularizer",
/// "Metric". Throws Diagnosed for a class that cannot be had, and for options that it does not take.
/// Needs the interpreter's lock.
pybind11::object instance_of(const char* base, const std::string& name, const Json& options);

}  // namespace lagnet::python
