#include "tools/python/module/metric.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "tools/python/module/arrays.hpp"
#include "tools/python/module/held.hpp"
#include "tools/python/module/python_error.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

/// The problem of a run as its metrics see it: while one of them is asked, and not later.
class MeasuredProblem {
 public:
  py::object X() {
    if (X_.is_none()) X_ = matrix_of(input().train().X);
    return X_;
  }
  py::object y() {
    if (y_.is_none()) y_ = array_of(Vector(input().train().y));
    return y_;
  }
  double objective(py::handle at) const {
    const MetricInput& given = input();
    const Vector theta = vector_of(at, "objective");
    if (theta.size() != given.iterate().size())
      throw py::value_error(
          fmt::format("objective: expected {} numbers, found {}", given.iterate().size(), theta.size()));
    const double losses = given.loss().total(given.scores_of(theta, given.train()), given.train().y);
    return losses / static_cast<double>(given.train().samples) + given.regularizer().value(theta);
  }
  void show(const MetricInput* input) { input_ = input; }

 private:
  const MetricInput& input() const {
    if (!input_)
      throw std::runtime_error("this problem no longer exists: metrics may use it only while they are called");
    return *input_;
  }
  const MetricInput* input_ = nullptr;
  py::object X_ = py::none(), y_ = py::none();
};

class PythonMetric {
 public:
  PythonMetric(std::string name, py::object instance, py::object problem)
      : name_(std::move(name)),
        instance_(std::move(instance)),
        shown_(problem.cast<MeasuredProblem*>()),
        problem_(std::move(problem)) {}

  std::optional<double> value(const MetricInput& input) const {
    const py::gil_scoped_acquire lock;
    return in_python(name_ + ".value: ", [&] { return asked(input); });
  }

 private:
  std::optional<double> asked(const MetricInput& input) const {
    const py::object x = array_of(Vector(input.iterate()));
    const py::object function = instance_.get().attr("value");
    const py::object told = shown_ ? asked_with_problem(function, x, input) : function(x);
    if (told.is_none()) return std::nullopt;
    const double number = number_of(told);
    if (!std::isfinite(number))
      throw py::value_error(fmt::format("expected a finite number, or None for an empty cell, found {}", number));
    return number;
  }
  py::object asked_with_problem(const py::object& function, const py::object& x, const MetricInput& input) const {
    struct Showing {
      MeasuredProblem& problem;
      ~Showing() { problem.show(nullptr); }
    } showing{*shown_};
    shown_->show(&input);
    return function(x, problem_.get());
  }

  const std::string name_;
  const Held instance_;
  MeasuredProblem* const shown_;  // what the next one holds; null for a metric that takes the iterate alone
  const Held problem_;
};

}  // namespace

MadeMetric metric_of(std::string name, py::object instance) {
  const bool takes_problem = in_python(name + ": ", [&] { return instance.attr("_takes_problem")().cast<bool>(); });
  py::object problem = takes_problem ? py::cast(MeasuredProblem()) : py::object(py::none());
  const auto metric = std::make_shared<const PythonMetric>(std::move(name), std::move(instance), std::move(problem));
  return {{}, [metric](const MetricInput& input) { return metric->value(input); }};
}

void declare_metrics(py::module_& module) {
  py::class_<MeasuredProblem>(module, "MeasuredProblem", "The problem of a run as its metrics see it.")
      .def_property_readonly("X", &MeasuredProblem::X)
      .def_property_readonly("y", &MeasuredProblem::y)
      .def("objective", &MeasuredProblem::objective);
}

}  // namespace lagnet::python
