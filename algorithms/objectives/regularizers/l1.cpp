#include "algorithms/objectives/regularizers/l1.hpp"

#include "algorithms/objectives/scaled_norm.hpp"
#include "algorithms/objectives/soft_threshold.hpp"

namespace lagnet {
namespace {

class L1Norm final : public ScaledNorm {
 public:
  explicit L1Norm(double weight) : ScaledNorm(L1Options::kind, weight) {}

  double norm(VectorRef theta) const override { return theta.lpNorm<1>(); }
  double dual_norm(VectorRef q) const override { return q.size() == 0 ? 0 : q.lpNorm<Eigen::Infinity>(); }
  Vector shrunk(VectorRef q, double tau) const override { return soft_threshold(q, tau); }
  Vector projected(VectorRef u, double radius) const override {
    return soft_threshold(u, simplex_threshold(u.cwiseAbs(), radius));
  }
  /// A clamp leaves no rounding outside.
  Vector prox_conjugate(VectorRef u, double) const override { return u.cwiseMax(-weight()).cwiseMin(weight()); }
  std::shared_ptr<const ScaledNorm> with_weight(double weight) const override {
    return std::make_shared<L1Norm>(weight);
  }
  std::optional<double> l1_weight() const override { return weight(); }
  std::optional<double> l2_weight() const override { return 0; }
};

}  // namespace

std::shared_ptr<const Regularizer> make_regularizer(const L1Options& options) {
  return std::make_shared<L1Norm>(options.weight);
}

}  // namespace lagnet
