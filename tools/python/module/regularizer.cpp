#include "tools/python/module/regularizer.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>
#include <utility>

#include "sim/base/errors.hpp"
#include "tools/python/module/arrays.hpp"
#include "tools/python/module/python_error.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

/// A vector of as many numbers as `at`, which are numbers where those of `at` are finite.
Vector vector_like(py::handle given, VectorRef at) {
  Vector numbers = numbers_of(given, at.size(), "one for each coefficient");
  if (numbers.array().isNaN().any() && at.allFinite()) throw py::value_error("expected numbers, found nan");
  return numbers;
}

}  // namespace

PythonRegularizer::PythonRegularizer(std::string name, py::object instance)
    : name_(std::move(name)), instance_(std::move(instance)) {
  const py::handle r = instance_.get();
  in_python(name_ + ": ", [&] {
    smoothness_ = r.attr("smoothness").cast<std::optional<double>>();
    is_separable_ = r.attr("separable").cast<bool>();
    has_gradient_ = r.attr("_gives")("gradient").cast<bool>();
  });
}

double PythonRegularizer::value(VectorRef theta) const {
  const py::gil_scoped_acquire lock;
  return in_python(name_ + ".value: ", [&] {
    const double value = number_of(instance_.get().attr("value")(array_of(Vector(theta))));
    if (std::isnan(value) && theta.allFinite()) throw py::value_error("expected a number, found nan");
    return value;
  });
}

Vector PythonRegularizer::prox(VectorRef q, double step) const {
  const py::gil_scoped_acquire lock;
  return in_python(name_ + ".prox: ",
                   [&] { return vector_like(instance_.get().attr("prox")(array_of(Vector(q)), step), q); });
}

double PythonRegularizer::conjugate(VectorRef) const {
  throw InternalError("the conjugate of " + name_ + " is needed, and it has none");
}

std::optional<Vector> PythonRegularizer::subgradient(VectorRef theta) const {
  if (!has_gradient_) return std::nullopt;
  const py::gil_scoped_acquire lock;
  return in_python(name_ + ".gradient: ",
                   [&] { return vector_like(instance_.get().attr("gradient")(array_of(Vector(theta))), theta); });
}

Flops PythonRegularizer::flops(const char* function, Index d) const {
  const py::gil_scoped_acquire lock;
  return in_python(fmt::format("{}.{}: ", name_, function), [&] {
    const double flops = number_of(instance_.get().attr(function)(d));
    if (!(flops >= 0 && flops < 9e18))
      throw py::value_error(fmt::format("expected a count of at least 0, found {}", flops));
    return static_cast<Flops>(flops);
  });
}

}  // namespace lagnet::python
