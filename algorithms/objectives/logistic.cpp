#include "algorithms/objectives/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "algorithms/objectives/loss_loops.hpp"
#include "algorithms/objectives/sign_labels.hpp"

namespace lagnet {
namespace {

/// s(-t) = 1/(1 + exp(t)); exp may overflow to infinity, which gives the right limit 0.
double sigmoid_of_minus(double t) { return 1 / (1 + std::exp(t)); }

double entropy_term(double p) { return p > 0 ? p * std::log(p) : 0; }

/// The root w of -s(-w) + c w = u by Newton's method, safeguarded with bisection in the bracket (u/c, (u+1)/c).
/// The left side increases in w, concave for w > 0 and convex for w < 0: from the bracket's end that is nearer to 0,
/// Newton's method is monotone when that bracket does not hold 0.
double score_of_prox(double u, double c) {
  double low = u / c, high = (u + 1) / c;
  double w = u >= 0 ? low : u <= -1 ? high : std::clamp(std::log((1 + u) / -u), low, high);
  for (int step = 0; step < 200; ++step) {
    const double p = sigmoid_of_minus(w);
    const double excess = c * w - u - p;
    (excess > 0 ? high : low) = w;
    double next = w - excess / (p * (1 - p) + c);
    if (!(next >= low && next <= high)) next = low + (high - low) / 2;
    const double change = std::abs(next - w);
    w = next;
    if (change <= 1e-15 * std::max(1.0, std::abs(w))) break;
  }
  return w;
}

/// The root v of v + t + q (s(v) - b) = 0, the log odds of the coordinate step, by Newton's method in the bracket
/// [-t + q b - q, -t + q b]. A Newton point on the bracket's ends is not taken: for q of a few hundred it can go
/// from one end to the other for ever.
double log_odds_of_step(double b, double t, double q) {
  double low = -t - q * (1 - b), high = -t + q * b;
  double v = b > 0 && b < 1 ? std::clamp(std::log(b / (1 - b)), low, high) : low + (high - low) / 2;
  for (int step = 0; step < 200; ++step) {
    const double p = sigmoid_of_minus(-v), rest = sigmoid_of_minus(v);
    const double excess = v + t + q * (b <= 0.5 ? p - b : (1 - b) - rest);  // so that the difference keeps its digits
    (excess > 0 ? high : low) = v;
    double next = v - excess / (1 + q * p * rest);
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    const double change = std::abs(next - v);
    v = next;
    if (change <= 1e-15 * std::abs(v)) break;
  }
  return v;
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
  std::optional<std::string> label_problem(double y) const override { return sign_label_problem(y); }
};

}  // namespace

std::shared_ptr<const Loss> make_loss(const LogisticOptions& /*options*/) { return std::make_shared<LogisticLoss>(); }

}  // namespace lagnet
