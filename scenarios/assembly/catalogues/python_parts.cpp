#include "scenarios/assembly/catalogues/python_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "scenarios/format/kinds/python_method.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

namespace {

const PythonParts* made_by = nullptr;

const PythonParts& who_makes(const char* what) {
  if (made_by) return *made_by;
  throw Diagnosed("kind",
                  fmt::format("a {} that this program can run; lagnet.run of the Python package runs this one", what),
                  std::string(python_kind));
}

}  // namespace

namespace {

bool is_python(const auto& chosen) { return chosen.kind() == python_kind; }

bool has_python_parts(const Scenario& scenario) {
  return is_python(scenario.problem.loss) || is_python(scenario.problem.regularizer) ||
         std::ranges::any_of(scenario.record.metrics, [](const auto& one) { return is_python(one); });
}

}  // namespace

bool has_python(const Scenario& scenario) { return is_python(scenario.algorithm) || has_python_parts(scenario); }

bool lacks_python(const Scenario& scenario) {
  if (is_python(scenario.algorithm) && !has_python_methods()) return true;
  return has_python_parts(scenario) && !made_by;
}

void set_python_parts(const PythonParts* parts) { made_by = parts; }

std::shared_ptr<const Loss> make_loss(const PythonLossOptions& options) { return who_makes("loss").loss(options); }

std::shared_ptr<const Regularizer> make_regularizer(const PythonRegularizerOptions& options) {
  return who_makes("regularizer").regularizer(options);
}

MadeMetric make_metric(const PythonMetricOptions& options) { return who_makes("metric").metric(options); }

}  // namespace lagnet
