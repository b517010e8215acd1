#include "algorithms/objectives/losses/absolute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/objectives/losses/loss_loops.hpp"

namespace lagnet {
namespace {

class AbsoluteLoss final : public LossLoops<AbsoluteLoss> {
 public:
  using LossLoops::curvature;
  using LossLoops::derivative;
  using LossLoops::prox_conjugate;

  std::string_view kind() const override { return AbsoluteOptions::kind; }
  double value(double a, double y) const override { return std::abs(a - y); }
  double derivative(double a, double y) const override { return a > y ? 1.0 : a < y ? -1.0 : 0.0; }
  double curvature(double /*a*/, double /*y*/) const override { return 0; }
  double conjugate(double lam, double y) const override {
    return std::abs(lam) <= 1 ? lam * y : std::numeric_limits<double>::infinity();
  }
  double prox_conjugate(double u, double y, double c) const override { return std::clamp(u - c * y, -1.0, 1.0); }
  std::optional<double> lipschitz() const override { return 1.0; }
  std::optional<Slopes> slopes(double /*y*/) const override { return Slopes{-1, 1}; }
};

}  // namespace

std::shared_ptr<const Loss> make_loss(const AbsoluteOptions& /*options*/) { return std::make_shared<AbsoluteLoss>(); }

}  // namespace lagnet
