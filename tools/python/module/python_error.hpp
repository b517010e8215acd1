#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <string>

#include "sim/base/errors.hpp"

/// What code in Python raises, on its way through lagnet and back: it is kept as it is, within the error that ends the
/// run.
namespace lagnet::python {

/// What is no Exception of Python, such as Ctrl-C, ends all runs of a call, and nothing in Python runs any more in it.
/// It is no std::exception, which would be a result of a sweep's point.
struct PythonInterruption {
  std::exception_ptr cause;
};
/// While a call of this thread lasts: an interruption belongs to the call in which it came.
class OneCall {
 public:
  OneCall();
  OneCall(const OneCall&) = delete;
  OneCall& operator=(const OneCall&) = delete;
  ~OneCall();
};

namespace detail {
[[noreturn]] void end_with(const std::string& place, const pybind11::error_already_set& error);
void throw_if_interrupted();
}  // namespace detail

/// Runs an action that calls Python, which needs the interpreter's lock. What is raised in it is the cause of a
/// UserCodeError, whose text begins with `place`; what is no Exception, such as Ctrl-C, that of a PythonInterruption. A
/// Divergence that has passed through Python is one again.
template <class Action>
auto in_python(const std::string& place, const Action& action) {
  detail::throw_if_interrupted();
  try {
    return action();
  } catch (const pybind11::error_already_set& error) {
    detail::end_with(place, error);
  } catch (const pybind11::builtin_exception& error) {
    error.set_error();
    const pybind11::error_already_set raised;
    detail::end_with(place, raised);
  }
}

/// From now on what was raised below a function of the module is raised by it again, as it was.
void raise_anew_in(pybind11::module_& module);

/// What was raised, with its traceback, of the cause of an error; None for none.
pybind11::object value_of(const std::exception_ptr& cause);

}  // namespace lagnet::python
