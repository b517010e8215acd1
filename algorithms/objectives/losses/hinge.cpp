#include "algorithms/objectives/losses/hinge.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/objectives/losses/loss_loops.hpp"
#include "algorithms/objectives/losses/sign_labels.hpp"

namespace lagnet {
namespace {

class HingeLoss final : public LossLoops<HingeLoss> {
 public:
  using LossLoops::curvature;
  using LossLoops::derivative;
  using LossLoops::prox_conjugate;

  std::string_view kind() const override { return HingeOptions::kind; }
  double value(double a, double y) const override { return std::max(0.0, 1 - y * a); }
  double derivative(double a, double y) const override { return y * a < 1 ? -y : 0; }
  double curvature(double /*a*/, double /*y*/) const override { return 0; }
  double conjugate(double lam, double y) const override {
    const double b = -y * lam;
    return b < 0 || b > 1 ? std::numeric_limits<double>::infinity() : -b;
  }
  double prox_conjugate(double u, double y, double c) const override { return -y * std::clamp(c - y * u, 0.0, 1.0); }
  double dual_step(double alpha, double p, double y, double q) const override {
    const double slope = 1 - y * p;  // of the concave part that does not have q
    if (q == 0 && slope != 0) return slope > 0 ? y : 0;
    if (slope == 0) return alpha;
    return y * std::clamp(y * alpha + slope / q, 0.0, 1.0);
  }
  std::optional<double> lipschitz() const override { return 1.0; }
  std::optional<Slopes> slopes(double y) const override { return y > 0 ? Slopes{-1, 0} : Slopes{0, 1}; }
  std::optional<std::string> label_problem(double y) const override { return sign_label_problem(y); }
};

}  // namespace

std::shared_ptr<const Loss> make_loss(const HingeOptions& /*options*/) { return std::make_shared<HingeLoss>(); }

}  // namespace lagnet
