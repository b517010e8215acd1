#include "algorithms/peers/own_regularizers.hpp"

#include <fmt/format.h>

#include "algorithms/objectives/regularizers/regularizers.hpp"

namespace lagnet {

OwnRegularizers::OwnRegularizers(const std::vector<double>& l1_weights, const std::vector<double>& l2_weights,
                                 const MethodInput& given)
    : shared_(given.problem.regularizer) {
  if (l1_weights.empty() && l2_weights.empty()) return;
  const Index agents = given.network.agents;
  const auto check = [&](const char* key, const std::vector<double>& weights) {
    if (!weights.empty() && std::ssize(weights) != agents)
      throw Diagnosed(key, fmt::format("{} numbers, one for each agent", agents), fmt::format("{}", weights.size()));
  };
  check("l1_weights", l1_weights);
  check("l2_weights", l2_weights);
  if (shared_->l1_weight() != 0.0 || shared_->l2_weight() != 0.0)
    throw Diagnosed(l1_weights.empty() ? "l2_weights" : "l1_weights",
                    "an empty list, or a problem without a regularizer", "a problem that has one");
  const auto of = [](const std::vector<double>& weights, std::size_t j) { return weights.empty() ? 0.0 : weights[j]; };
  for (std::size_t j = 0; j < static_cast<std::size_t>(agents); ++j)
    own_.push_back(make_regularizer(ElasticNetOptions{.l1_weight = of(l1_weights, j), .l2_weight = of(l2_weights, j)}));
}

double OwnRegularizers::objective(const Vector& theta, const MethodInput& given) const {
  double value = given.problem.objective(theta);
  for (std::size_t j = 0; j < own_.size(); ++j) {
    const Index first = given.feature_starts[j];
    value += own_[j]->value(theta.segment(first, given.feature_starts[j + 1] - first));
  }
  return value;
}

}  // namespace lagnet
