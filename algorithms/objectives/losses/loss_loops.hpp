#pragma once

#include <optional>
#include <string>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

/// The labels that are expected if y is no label of one of two classes; else nothing.
inline std::optional<std::string> sign_label_problem(double y) {
  if (y == 1 || y == -1) return std::nullopt;
  return "-1 or +1";
}

/// Implements the vector forms of a loss by its scalar forms. Derived is final, so the calls within a loop are direct
/// and inlined.
template <class Derived>
class LossLoops : public Loss {
 public:
  using Loss::curvature;
  using Loss::derivative;
  using Loss::prox_conjugate;

  double total(VectorRef a, VectorRef y) const final {
    check_sizes(a.size(), y.size());
    double sum = 0;
    for (Index i = 0; i < a.size(); ++i) sum += self().value(a[i], y[i]);
    return sum;
  }
  double total_conjugate(VectorRef lam, VectorRef y) const final {
    check_sizes(lam.size(), y.size());
    double sum = 0;
    for (Index i = 0; i < lam.size(); ++i) sum += self().conjugate(lam[i], y[i]);
    return sum;
  }
  Vector derivative(VectorRef a, VectorRef y) const final {
    check_sizes(a.size(), y.size());
    Vector result(a.size());
    for (Index i = 0; i < a.size(); ++i) result[i] = self().derivative(a[i], y[i]);
    return result;
  }
  Vector curvature(VectorRef a, VectorRef y) const final {
    check_sizes(a.size(), y.size());
    Vector result(a.size());
    for (Index i = 0; i < a.size(); ++i) result[i] = self().curvature(a[i], y[i]);
    return result;
  }
  void prox_conjugate(Eigen::Ref<Vector> lam, VectorRef y, double c) const final {
    check_sizes(lam.size(), y.size());
    for (Index i = 0; i < lam.size(); ++i) lam[i] = self().prox_conjugate(lam[i], y[i], c);
  }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  static void check_sizes(Index scores, Index labels) {
    LAGNET_CHECK(scores == labels, "{} scores for {} labels", scores, labels);
  }
};

}  // namespace lagnet
