#include "algorithms/objectives/losses/smoothed_hinge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "algorithms/objectives/losses/loss_loops.hpp"
#include "algorithms/objectives/losses/sign_labels.hpp"

namespace lagnet {
namespace {

class SmoothedHingeLoss final : public LossLoops<SmoothedHingeLoss> {
 public:
  explicit SmoothedHingeLoss(double gamma) : gamma_(gamma) {}
  using LossLoops::curvature;
  using LossLoops::derivative;
  using LossLoops::prox_conjugate;

  std::string_view kind() const override { return SmoothedHingeOptions::kind; }
  double value(double a, double y) const override {
    const double t = 1 - y * a;
    return t <= 0 ? 0 : t <= gamma_ ? t * t / (2 * gamma_) : t - gamma_ / 2;
  }
  double derivative(double a, double y) const override { return -y * std::clamp((1 - y * a) / gamma_, 0.0, 1.0); }
  double curvature(double a, double y) const override {
    const double t = 1 - y * a;
    return t >= 0 && t <= gamma_ ? 1 / gamma_ : 0;
  }
  double conjugate(double lam, double y) const override {
    const double b = -y * lam;
    return b < 0 || b > 1 ? std::numeric_limits<double>::infinity() : b * (gamma_ * b / 2 - 1);
  }
  double prox_conjugate(double u, double y, double c) const override {
    return -y * std::clamp((c - y * u) / (1 + c * gamma_), 0.0, 1.0);
  }
  double dual_step(double alpha, double p, double y, double q) const override {
    return y * std::clamp((1 - y * p + q * y * alpha) / (gamma_ + q), 0.0, 1.0);
  }
  std::optional<double> lipschitz() const override { return 1.0; }
  std::optional<double> sqrt_lipschitz() const override { return std::sqrt(2 / gamma_); }
  std::optional<double> smoothness() const override { return 1 / gamma_; }
  std::optional<std::string> label_problem(double y) const override { return sign_label_problem(y); }

 private:
  double gamma_;
};

}  // namespace

std::shared_ptr<const Loss> make_loss(const SmoothedHingeOptions& options) {
  if (!(options.gamma > 0) || !std::isfinite(options.gamma)) {
    throw std::invalid_argument(
        fmt::format("smoothed_hinge gamma: expected a finite number above 0, found {}", options.gamma));
  }
  return std::make_shared<SmoothedHingeLoss>(options.gamma);
}

}  // namespace lagnet
