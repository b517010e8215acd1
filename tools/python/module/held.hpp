#pragma once

#include <pybind11/pybind11.h>

#include <utility>

namespace lagnet::python {

/// An object of Python that C++ holds, perhaps beyond the interpreter's lock.
class Held {
 public:
  explicit Held(pybind11::object object) : object_(std::move(object)) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    const pybind11::gil_scoped_acquire lock;
    object_.release().dec_ref();
  }
  pybind11::handle get() const { return object_; }

 private:
  pybind11::object object_;
};

}  // namespace lagnet::python
