#include "tools/python/module/parts.hpp"

#include <memory>

#include "scenarios/assembly/catalogues/python_parts.hpp"
#include "tools/python/module/instances.hpp"
#include "tools/python/module/loss.hpp"
#include "tools/python/module/metric.hpp"
#include "tools/python/module/regularizer.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

py::object made(const char* base, const PythonClass& wanted) { return instance_of(base, wanted.name, wanted.options); }

class Parts final : public PythonParts {
 public:
  std::shared_ptr<const Loss> loss(const PythonLossOptions& options) const override {
    const py::gil_scoped_acquire lock;
    return std::make_shared<const PythonLoss>(options.name, made("Loss", options));
  }
  std::shared_ptr<const Regularizer> regularizer(const PythonRegularizerOptions& options) const override {
    const py::gil_scoped_acquire lock;
    return std::make_shared<const PythonRegularizer>(options.name, made("Regularizer", options));
  }
  MadeMetric metric(const PythonMetricOptions& options) const override {
    const py::gil_scoped_acquire lock;
    return metric_of(options.name, made("Metric", options));
  }
};

}  // namespace

void offer_python_parts() {
  static const Parts parts;
  set_python_parts(&parts);
}

}  // namespace lagnet::python
