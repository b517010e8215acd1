#include "tools/python/module/python_error.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

thread_local std::exception_ptr interruption;
PyObject* divergence_type = nullptr;  // the module's, which is never unloaded

/// "ValueError: seven"; where it was raised is in the traceback of what is kept.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void raise_anew(const std::exception_ptr& cause) {
  const py::object value = value_of(cause);
  PyErr_SetObject(py::type::of(value).ptr(), value.ptr());
}

}  // namespace

OneCall::OneCall() { interruption = nullptr; }

OneCall::~OneCall() { interruption = nullptr; }

namespace detail {

void end_with(const std::string& place, const py::error_already_set& error) {
  if (divergence_type && error.matches(divergence_type)) throw Divergence(std::string(py::str(error.value())));
  const std::exception_ptr cause = std::make_exception_ptr(error);
  if (error.matches(PyExc_Exception)) throw UserCodeError(place + first_line(error.what()), cause);
  interruption = cause;
  throw PythonInterruption{cause};
}

void throw_if_interrupted() {
  if (interruption) throw PythonInterruption{interruption};
}

}  // namespace detail

py::object value_of(const std::exception_ptr& cause) {
  if (!cause) return py::none();
  try {
    std::rethrow_exception(cause);
  } catch (const py::error_already_set& raised) {
    py::object value = raised.value();
    if (raised.trace()) PyException_SetTraceback(value.ptr(), raised.trace().ptr());
    return value;
  }
}

void raise_anew_in(py::module_& module) {
  divergence_type = py::exception<Divergence>(module, "Divergence", PyExc_ArithmeticError).release().ptr();
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const UserCodeError& error) {
      raise_anew(error.cause);
    } catch (const PythonInterruption& interrupted) {
      raise_anew(interrupted.cause);
    } catch (const Divergence& error) {
      PyErr_SetString(divergence_type, error.what());
    }
  });
}

}  // namespace lagnet::python
