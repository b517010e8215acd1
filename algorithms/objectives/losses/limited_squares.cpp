#include "algorithms/objectives/losses/limited_squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "algorithms/objectives/losses/loss_loops.hpp"

namespace lagnet {

namespace {

class LimitedSquaresLoss final : public LossLoops<LimitedSquaresLoss> {
 public:
  explicit LimitedSquaresLoss(LimitedSquares all) : samples_(std::move(all.samples)) {
    first_ = LimitedSquares{samples_}.first_label();
    for (const LimitedSquare& one : samples_) {
      LAGNET_CHECK(std::isfinite(one.target) && one.low <= 0 && one.high >= 0,
                   "limits {} and {} of a sample with target {}", one.low, one.high, one.target);
      steepest_ = std::max({steepest_, -one.low, one.high});
    }
  }
  using LossLoops::curvature;
  using LossLoops::derivative;
  using LossLoops::prox_conjugate;

  std::string_view kind() const override { return "limited_squares"; }
  double value(double a, double y) const override {
    const LimitedSquare& one = of(y);
    const double t = one.target - a, z = std::clamp(t, one.low, one.high);
    return z * (t - z / 2);
  }
  double derivative(double a, double y) const override {
    const LimitedSquare& one = of(y);
    return std::clamp(a - one.target, -one.high, -one.low);
  }
  double curvature(double a, double y) const override {
    const LimitedSquare& one = of(y);
    const double t = one.target - a;
    return t >= one.low && t <= one.high && one.low < one.high ? 1 : 0;
  }
  double conjugate(double lam, double y) const override {
    const LimitedSquare& one = of(y);
    return lam < -one.high || lam > -one.low ? std::numeric_limits<double>::infinity() : lam * (lam / 2 + one.target);
  }
  double prox_conjugate(double u, double y, double c) const override {
    const LimitedSquare& one = of(y);
    return std::clamp((u - c * one.target) / (1 + c), -one.high, -one.low);
  }
  std::optional<double> lipschitz() const override {
    return std::isfinite(steepest_) ? std::optional(steepest_) : std::nullopt;
  }
  std::optional<double> sqrt_lipschitz() const override { return std::numbers::sqrt2; }
  std::optional<double> smoothness() const override { return 1.0; }
  bool has_second_derivative() const override { return false; }
  std::optional<std::string> label_problem(double y) const override {
    const double place = y - static_cast<double>(first_);
    if (place >= 0 && place < static_cast<double>(samples_.size()) && place == std::trunc(place)) return std::nullopt;
    return fmt::format("a whole number from {} to {}", first_, first_ + std::ssize(samples_) - 1);
  }

 private:
  const LimitedSquare& of(double y) const { return samples_[static_cast<std::size_t>(static_cast<Index>(y) - first_)]; }

  std::vector<LimitedSquare> samples_;
  Index first_ = 0;
  double steepest_ = 0;
};

}  // namespace

Index LimitedSquares::first_label() const {
  double largest = 0;
  for (const LimitedSquare& one : samples) largest = std::max(largest, std::abs(one.target));
  return static_cast<Index>(std::ceil(largest));
}

Vector LimitedSquares::labels() const {
  const auto first = static_cast<double>(first_label());
  return Vector::LinSpaced(std::ssize(samples), first, first + static_cast<double>(samples.size()) - 1);
}

std::shared_ptr<const Loss> make_loss(LimitedSquares all) {
  return std::make_shared<LimitedSquaresLoss>(std::move(all));
}

}  // namespace lagnet
