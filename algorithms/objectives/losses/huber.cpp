#include "algorithms/objectives/losses/huber.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "algorithms/objectives/losses/loss_loops.hpp"

namespace lagnet {
namespace {

class HuberLoss final : public LossLoops<HuberLoss> {
 public:
  explicit HuberLoss(double threshold) : h_(threshold) {}
  using LossLoops::curvature;
  using LossLoops::derivative;
  using LossLoops::prox_conjugate;

  std::string_view kind() const override { return HuberOptions::kind; }
  double value(double a, double y) const override {
    const double t = std::abs(a - y);
    return t <= h_ ? t * t / 2 : h_ * (t - h_ / 2);
  }
  double derivative(double a, double y) const override { return std::clamp(a - y, -h_, h_); }
  double curvature(double a, double y) const override { return std::abs(a - y) <= h_ ? 1 : 0; }
  double conjugate(double lam, double y) const override {
    return std::abs(lam) <= h_ ? lam * (lam / 2 + y) : std::numeric_limits<double>::infinity();
  }
  double prox_conjugate(double u, double y, double c) const override {
    return std::clamp((u - c * y) / (1 + c), -h_, h_);
  }
  std::optional<double> lipschitz() const override { return h_; }
  std::optional<double> sqrt_lipschitz() const override { return std::numbers::sqrt2; }
  std::optional<double> smoothness() const override { return 1.0; }

 private:
  double h_;
};

}  // namespace

std::shared_ptr<const Loss> make_loss(const HuberOptions& options) {
  if (!(options.threshold > 0) || !std::isfinite(options.threshold)) {
    throw std::invalid_argument(
        fmt::format("huber threshold: expected a finite number above 0, found {}", options.threshold));
  }
  return std::make_shared<HuberLoss>(options.threshold);
}

}  // namespace lagnet
