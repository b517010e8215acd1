#pragma once

#include <memory>

#include "algorithms/objectives/loss.hpp"
#include "algorithms/objectives/prox.hpp"
#include "scenarios/assembly/metric.hpp"
#include "scenarios/format/kinds/python_class.hpp"
#include "scenarios/format/scenario.hpp"

/// The maker of losses, regularizers and metrics from classes in Python.
namespace lagnet {

class PythonParts {
 public:
  virtual ~PythonParts() = default;
  // They throw Diagnosed. What the classes raise later is a UserCodeError.
  virtual std::shared_ptr<const Loss> loss(const PythonLossOptions& options) const = 0;
  virtual std::shared_ptr<const Regularizer> regularizer(const PythonRegularizerOptions& options) const = 0;
  virtual MadeMetric metric(const PythonMetricOptions& options) const = 0;
};

/// Whether a scenario names a class in Python, of whose code its own source alone is known.
bool has_python(const Scenario& scenario);
/// Whether a scenario names a class in Python that this process cannot create, as in the program.
bool lacks_python(const Scenario& scenario);
/// From now on these make them. They must outlive all runs; call it before the first.
void set_python_parts(const PythonParts* parts);

// They throw Diagnosed where no Python makes them, as in the program.
std::shared_ptr<const Loss> make_loss(const PythonLossOptions& options);
std::shared_ptr<const Regularizer> make_regularizer(const PythonRegularizerOptions& options);
MadeMetric make_metric(const PythonMetricOptions& options);

}  // namespace lagnet
