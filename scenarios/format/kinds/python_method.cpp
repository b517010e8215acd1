#include "scenarios/format/kinds/python_method.hpp"

#include <utility>

#include "sim/base/diagnostic.hpp"

namespace lagnet {

namespace {

const PythonMethods* maker = nullptr;

}  // namespace

bool has_python_methods() { return maker != nullptr; }

void set_python_methods(const PythonMethods* methods) { maker = methods; }

std::unique_ptr<Algorithm> make_python_method(const PythonOptions& options, MethodInput given) {
  if (!maker)
    throw Diagnosed("kind", "a method that this program can run; lagnet.run of the Python package runs this one",
                    "python");
  return maker->make(options, std::move(given));
}

}  // namespace lagnet
