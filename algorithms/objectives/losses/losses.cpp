#include "algorithms/objectives/losses/losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

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
  bool has_second_derivative() const override { return false; }

 private:
  double h_;
};

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
  bool has_second_derivative() const override { return false; }
  std::optional<std::string> label_problem(double y) const override { return sign_label_problem(y); }

 private:
  double gamma_;
};

}  // namespace

std::shared_ptr<const Loss> make_loss(const SquaredOptions& /*options*/) { return std::make_shared<SquaredLoss>(); }

std::shared_ptr<const Loss> make_loss(const AbsoluteOptions& /*options*/) { return std::make_shared<AbsoluteLoss>(); }

std::shared_ptr<const Loss> make_loss(const HuberOptions& options) {
  if (!(options.threshold > 0) || !std::isfinite(options.threshold)) {
    throw std::invalid_argument(
        fmt::format("huber threshold: expected a finite number above 0, found {}", options.threshold));
  }
  return std::make_shared<HuberLoss>(options.threshold);
}

std::shared_ptr<const Loss> make_loss(const HingeOptions& /*options*/) { return std::make_shared<HingeLoss>(); }

std::shared_ptr<const Loss> make_loss(const SmoothedHingeOptions& options) {
  if (!(options.gamma > 0) || !std::isfinite(options.gamma)) {
    throw std::invalid_argument(
        fmt::format("smoothed_hinge gamma: expected a finite number above 0, found {}", options.gamma));
  }
  return std::make_shared<SmoothedHingeLoss>(options.gamma);
}

}  // namespace lagnet
