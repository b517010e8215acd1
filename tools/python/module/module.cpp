#include <pybind11/pybind11.h>

#include "scenarios/files/version.hpp"
#include "tools/python/module/agent_handle.hpp"
#include "tools/python/module/compressed.hpp"
#include "tools/python/module/methods.hpp"
#include "tools/python/module/metric.hpp"
#include "tools/python/module/parts.hpp"
#include "tools/python/module/python_error.hpp"
#include "tools/python/module/runs.hpp"

/// lagnet._core: runs of scenarios in Python's process, whose agents may be async functions of Python.
PYBIND11_MODULE(_core, module) {
  module.doc() = "Runs of scenarios in this process; see lagnet.run and lagnet.agents.";
  module.attr("version") = std::string(lagnet::version());
  lagnet::python::raise_anew_in(module);
  lagnet::python::declare_compressors(module);
  lagnet::python::declare_agent(module);
  lagnet::python::declare_metrics(module);
  lagnet::python::declare_runs(module);
  lagnet::python::offer_python_methods();
  lagnet::python::offer_python_parts();
}
