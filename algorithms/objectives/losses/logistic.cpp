#include "algorithms/objectives/losses/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "algorithms/objectives/losses/loss_loops.hpp"

namespace lagnet {
namespace {

/// s(-t) = 1/(1 + exp(t)); exp may overflow to infinity, which gives the right limit 0.
double sigmoid_of_minus(double t) { return 1 / (1 + std::exp(t)); }

double entropy_term(double p) { return p > 0 ? p * std::log(p) : 0; }

struct ValueAndSlope {
  double value, slope;
};

/// The root in [low, high] of an increasing function that is convex below 0 and concave above, by Newton's method, on
/// the side of 0 where it is. Between 0 and the root the steps go to the root without passing it. From beyond the root
/// the first one comes back past it, if need be to the end of the bracket that is nearer to 0: so they cannot cycle,
/// as Newton's method in a bracket around 0 may for steep functions, and a later change of direction is rounding.
template <class Function>
double root_of(const Function& f, bool is_below_0, double start, double low, double high) {
  if (is_below_0)
    high = std::min(high, 0.0);
  else
    low = std::max(low, 0.0);
  double v = std::max(low, std::min(start, high));
  bool was_up = false;
  for (int step = 0; step < 200; ++step) {
    const ValueAndSlope at = f(v);
    const double next = std::max(low, std::min(v - at.value / at.slope, high));
    const double change = std::abs(next - v);
    const bool is_up = next > v, turns = step >= 2 && is_up != was_up;
    v = next;
    was_up = is_up;
    if (turns || !(change > 1e-15 * std::max(1.0, std::abs(v)))) break;
  }
  return v;
}

/// The root w of -s(-w) + c w = u, in the bracket (u/c, (u+1)/c).
double score_of_prox(double u, double c) {
  const double low = u / c, high = (u + 1) / c;
  const double start = u >= 0 ? low : u <= -1 ? high : std::log((1 + u) / -u);
  const auto excess = [&](double w) {
    const double p = sigmoid_of_minus(w);
    return ValueAndSlope{c * w - u - p, p * (1 - p) + c};
  };
  return root_of(excess, u < -0.5, start, low, high);
}

/// The root v of v + t + q (s(v) - b) = 0, the log odds of the coordinate step, in [-t + q b - q, -t + q b].
double log_odds_of_step(double b, double t, double q) {
  const double low = -t - q * (1 - b), high = -t + q * b;
  const double start = b > 0 && b < 1 ? std::log(b / (1 - b)) : low + (high - low) / 2;
  const auto excess = [&](double v) {
    const double p = sigmoid_of_minus(-v), rest = sigmoid_of_minus(v);
    const double difference = b <= 0.5 ? p - b : (1 - b) - rest;  // so that it keeps its digits
    return ValueAndSlope{v + t + q * difference, 1 + q * p * rest};
  };
  return root_of(excess, t + q * (0.5 - b) > 0, start, low, high);
}

class LogisticLoss final : public LossLoops<LogisticLoss> {
 public:
  using LossLoops::curvature;
  using LossLoops::derivative;
  using LossLoops::prox_conjugate;

  std::string_view kind() const override { return LogisticOptions::kind; }
  double value(double a, double y) const override {
    const double t = y * a;  // the smaller of exp(t) and exp(-t) is used, so nothing overflows
    return t > 0 ? std::log1p(std::exp(-t)) : std::log1p(std::exp(t)) - t;
  }
  double derivative(double a, double y) const override { return -y * sigmoid_of_minus(y * a); }
  double curvature(double a, double y) const override { return sigmoid_of_minus(y * a) * sigmoid_of_minus(-y * a); }
  double conjugate(double lam, double y) const override {
    const double p = -y * lam;
    if (p < 0 || p > 1) return std::numeric_limits<double>::infinity();
    return entropy_term(p) + entropy_term(1 - p);
  }
  double prox_conjugate(double u, double y, double c) const override {
    const double p = sigmoid_of_minus(score_of_prox(y * u, c));
    // The exact result is strictly inside (0, 1); keep it so where it rounds to an end.
    constexpr double below_one = 1 - std::numeric_limits<double>::epsilon() / 2;
    return -y * std::clamp(p, std::numeric_limits<double>::min(), below_one);
  }
  double dual_step(double alpha, double p, double y, double q) const override {
    return y * sigmoid_of_minus(-log_odds_of_step(y * alpha, y * p, q));
  }
  std::optional<double> lipschitz() const override { return 1.0; }
  std::optional<double> sqrt_lipschitz() const override { return 1 / std::numbers::sqrt2; }
  std::optional<double> smoothness() const override { return 0.25; }
  bool attains_infimum() const override { return false; }
  std::optional<std::string> label_problem(double y) const override { return sign_label_problem(y); }
};

}  // namespace

std::shared_ptr<const Loss> make_loss(const LogisticOptions& /*options*/) { return std::make_shared<LogisticLoss>(); }

}  // namespace lagnet
