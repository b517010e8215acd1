#include "algorithms/objectives/prox.hpp"

namespace lagnet {

Vector Regularizer::prox_conjugate(VectorRef u, double c) const { return u - c * prox(u / c, 1 / c); }

std::optional<Vector> Regularizer::subgradient(VectorRef theta) const {
  const auto a = l1_weight(), b = l2_weight();
  if (!a || !b) return std::nullopt;
  return Vector(*a * theta.cwiseSign() + *b * theta);
}

std::optional<double> Regularizer::smoothness() const { return l1_weight() == 0.0 ? l2_weight() : std::nullopt; }

namespace {

/// Whether a term of this weight is there; one of a regularizer that states no weights is taken to be.
bool is_there(std::optional<double> weight) { return weight != 0.0; }

}  // namespace

Flops Regularizer::prox_flops(Index d) const {
  return (is_there(l1_weight()) ? 3 * d : 0) + (is_there(l2_weight()) ? d : 0);
}

Flops Regularizer::subgradient_flops(Index d) const {
  return (is_there(l1_weight()) ? 2 * d : 0) + (is_there(l2_weight()) ? 2 * d : 0);
}

}  // namespace lagnet
