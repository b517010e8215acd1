#include "tools/python/module/instances.hpp"

#include <pybind11/stl.h>

#include <tuple>

#include "sim/base/diagnostic.hpp"
#include "tools/python/module/python_error.hpp"

namespace lagnet::python {

namespace py = pybind11;

py::object instance_of(const char* base, const std::string& name, const Json& options) {
  py::object made = in_python(name + ": ", [&] {
    return py::object(py::module_::import("lagnet.classes").attr("made")(base, name, options.dump()));
  });
  if (!py::isinstance<py::tuple>(made)) return made;
  const auto [option, expected, found] = made.cast<std::tuple<std::string, std::string, std::string>>();
  throw Diagnosed(option, expected, found);
}

}  // namespace lagnet::python
