#include "tools/python/module/loss.hpp"

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

[[noreturn]] void no_conjugate(const std::string& name) {
  throw InternalError("the conjugate of " + name + " is needed, and it has none");
}

/// Values at finite numbers must be finite; otherwise the error names the place of the call.
void check_numbers(const Vector& numbers, VectorRef a, VectorRef y) {
  for (Index i = 0; i < numbers.size(); ++i)
    if (std::isnan(numbers[i]) && std::isfinite(a[i]) && std::isfinite(y[i]))
      throw py::value_error(fmt::format("expected numbers, found nan for the score {} and the label {}", a[i], y[i]));
}

}  // namespace

PythonLoss::PythonLoss(std::string name, py::object instance) : name_(std::move(name)), instance_(std::move(instance)) {
  const py::handle loss = instance_.get();
  in_python(name_ + ": ", [&] {
    lipschitz_ = loss.attr("lipschitz").cast<std::optional<double>>();
    smoothness_ = loss.attr("smoothness").cast<std::optional<double>>();
    attains_infimum_ = loss.attr("attains_infimum").cast<bool>();
    has_curvature_ = loss.attr("_gives")("curvature").cast<bool>();
    judges_labels_ = loss.attr("_gives")("label_problem").cast<bool>();
  });
}

double PythonLoss::conjugate(double, double) const { no_conjugate(name_); }
double PythonLoss::prox_conjugate(double, double, double) const { no_conjugate(name_); }
double PythonLoss::total_conjugate(VectorRef, VectorRef) const { no_conjugate(name_); }
void PythonLoss::prox_conjugate(Eigen::Ref<Vector>, VectorRef, double) const { no_conjugate(name_); }

double PythonLoss::total(VectorRef a, VectorRef y) const {
  double sum = 0;
  for (const double value : all("value", a, y)) sum += value;
  return sum;
}

std::optional<std::string> PythonLoss::label_problem(double y) const {
  if (!judges_labels_) return std::nullopt;
  const py::gil_scoped_acquire lock;
  return in_python(name_ + ".label_problem: ", [&]() -> std::optional<std::string> {
    const py::object told = instance_.get().attr("label_problem")(y);
    if (told.is_none()) return std::nullopt;
    if (!py::isinstance<py::str>(told))
      throw py::type_error("expected None, or what labels are expected, found " + type_name(told));
    return told.cast<std::string>();
  });
}

double PythonLoss::one(const char* function, double a, double y) const {
  return all(function, Vector{{a}}, Vector{{y}})[0];
}

Vector PythonLoss::all(const char* function, VectorRef a, VectorRef y) const {
  LAGNET_CHECK(a.size() == y.size(), "{} scores for {} labels", a.size(), y.size());
  if (a.size() == 0) return {};
  const py::gil_scoped_acquire lock;
  return in_python(fmt::format("{}.{}: ", name_, function), [&] {
    const py::object given = instance_.get().attr(function)(array_of(Vector(a)), array_of(Vector(y)));
    Vector numbers = numbers_of(given, a.size(), "one for each score");
    check_numbers(numbers, a, y);
    return numbers;
  });
}

}  // namespace lagnet::python
