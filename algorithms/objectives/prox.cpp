#include "algorithms/objectives/prox.hpp"

namespace lagnet {

Vector Regularizer::prox_conjugate(VectorRef u, double c) const { return u - c * prox(u / c, 1 / c); }

std::optional<Vector> Regularizer::subgradient(VectorRef theta) const {
  const auto a = l1_weight(), b = l2_weight();
  if (!a || !b) return std::nullopt;
  return Vector(*a * theta.cwiseSign() + *b * theta);
}

}  // namespace lagnet
