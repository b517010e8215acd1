#include "algorithms/objectives/losses/squared.hpp"

#include <numbers>

#include "algorithms/objectives/losses/loss_loops.hpp"

namespace lagnet {
namespace {

class SquaredLoss final : public LossLoops<SquaredLoss> {
 public:
  using LossLoops::curvature;
  using LossLoops::derivative;
  using LossLoops::prox_conjugate;

  std::string_view kind() const override { return SquaredOptions::kind; }
  double value(double a, double y) const override { return (a - y) * (a - y) / 2; }
  double derivative(double a, double y) const override { return a - y; }
  double curvature(double /*a*/, double /*y*/) const override { return 1; }
  double conjugate(double lam, double y) const override { return lam * (lam / 2 + y); }
  double prox_conjugate(double u, double y, double c) const override { return (u - c * y) / (1 + c); }
  double dual_step(double alpha, double p, double y, double q) const override { return (y - p + q * alpha) / (1 + q); }
  std::optional<double> sqrt_lipschitz() const override { return std::numbers::sqrt2; }
  std::optional<double> smoothness() const override { return 1.0; }
  bool is_squared() const override { return true; }
};

}  // namespace

std::shared_ptr<const Loss> make_loss(const SquaredOptions& /*options*/) { return std::make_shared<SquaredLoss>(); }

}  // namespace lagnet
