#pragma once

#include <memory>
#include <vector>

#include "algorithms/interface/algorithm.hpp"

namespace lagnet {

/// Regularizers r_j of blocks of features, one for each agent: elastic nets whose weights agents have of their own, or,
/// where no weights are stated, the problem's regularizer for all.
class OwnRegularizers {
 public:
  /// Weights l1_weights[j] and l2_weights[j]; an empty list stands for zeros. Throws Diagnosed for a list that does
  /// not have one for each agent, and where the problem has a regularizer too.
  OwnRegularizers(const std::vector<double>& l1_weights, const std::vector<double>& l2_weights,
                  const MethodInput& given);

  bool are_stated() const { return !own_.empty(); }
  const Regularizer& of(AgentId agent) const { return own_.empty() ? *shared_ : *own_[agent]; }
  /// F(theta) with them, theta that of all features (d).
  double objective(const Vector& theta, const MethodInput& given) const;

 private:
  std::shared_ptr<const Regularizer> shared_;
  std::vector<std::shared_ptr<const Regularizer>> own_;
};

}  // namespace lagnet
