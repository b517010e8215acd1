#include "algorithms/objectives/ball_prox.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lagnet {
namespace {

bool is_l1(const ScaledNorm& r) { return r.l1_weight().has_value(); }

/// argmin over w of (1/2)(w - v)^2 + tau |w| + theta |w - c|, for c >= 0.
double entry_of(double v, double tau, double c, double theta) {
  if (v - tau - theta > c) return v - tau - theta;
  if (v - tau + theta >= c) return c;
  if (v - tau + theta > 0) return v - tau + theta;
  if (v + tau + theta >= 0) return 0;
  return v + tau + theta;
}

/// P2 for the l1 norm without the Euclidean ball, reflected so that c >= 0.
class L1BallPath {
 public:
  L1BallPath(const Vector& v, double tau, const Vector& c) : v_(v), tau_(tau), c_(c) {}

  Vector at(double theta) const {
    Vector w(v_.size());
    for (Index i = 0; i < w.size(); ++i) w[i] = entry_of(v_[i], tau_, c_[i], theta);
    return w;
  }
  double distance(double theta) const { return (at(theta) - c_).lpNorm<1>(); }

  /// The multiplier at which the distance, piecewise linear and never increasing, is epsilon; 0 if it is smaller at 0.
  double multiplier(double epsilon) const {
    double low = 0, distance_low = distance(0);
    if (distance_low <= epsilon) return 0;
    const std::vector<double> kinks = positive_kinks();
    // The first kink at which the distance is at most epsilon; at the last one it is 0.
    const auto near = std::partition_point(kinks.begin(), kinks.end(), [&](double k) { return distance(k) > epsilon; });
    if (near == kinks.end()) return kinks.empty() ? 0 : kinks.back();
    if (near != kinks.begin()) distance_low = distance(low = *(near - 1));
    const double fall = distance_low - distance(*near);
    return fall > 0 ? low + (distance_low - epsilon) / fall * (*near - low) : *near;
  }

 private:
  std::vector<double> positive_kinks() const {
    std::vector<double> kinks;
    for (Index i = 0; i < v_.size(); ++i)
      for (const double k : {v_[i] - c_[i] - tau_, c_[i] + tau_ - v_[i], tau_ - v_[i], -tau_ - v_[i]})
        if (k > 0) kinks.push_back(k);
    std::sort(kinks.begin(), kinks.end());
    return kinks;
  }

  const Vector& v_;
  double tau_;
  const Vector& c_;
};

/// P2 for the l1 norm and a multiplier beta of the Euclidean ball, which divides v and tau by 1 + beta.
Vector in_l1_ball(const Vector& v, double tau, const Vector& c, double epsilon, double beta) {
  const Vector scaled = v / (1 + beta);
  const L1BallPath path(scaled, tau / (1 + beta), c);
  return path.at(path.multiplier(epsilon));
}

/// P2 for the l1 norm: exact.
Vector in_l1_balls(VectorRef v, double tau, NormBall ball, double rho) {
  const Vector sign = ball.c.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
  const Vector c = ball.c.cwiseAbs(), reflected = v.cwiseProduct(sign);
  const auto with = [&](double beta) { return in_l1_ball(reflected, tau, c, ball.epsilon, beta); };
  Vector w = with(0);
  if (w.norm() > rho) {
    // The norm falls in beta. The bracket ends when no number lies between its ends.
    constexpr double largest = 1e18;
    double low = 0, high = 1;
    while (high < largest && with(high).norm() > rho) low = high, high *= 2;
    for (double mid = low + (high - low) / 2; mid > low && mid < high; mid = low + (high - low) / 2)
      (with(mid).norm() > rho ? low : high) = mid;
    w = with(high);
  }
  return w.cwiseProduct(sign);
}

/// Primal less dual value at w and the multiplier y of w = u:
/// <y1 + y2, v> - |y1 + y2|^2 / 2 - rho |S_tau(y1)| - <y2, c> - epsilon R*(y2), y2 = y, y1 = v - w - y2.
double duality_gap(const ScaledNorm& r, VectorRef v, double tau, NormBall ball, double rho, const Vector& w,
                   const Vector& y) {
  Vector y1 = v - w - y;
  if (rho == no_ball) {  // then y1 must be in the dual ball of radius tau
    const double size = r.dual_norm(y1);
    if (size > tau) y1 *= tau / size;
  }
  const Vector sum = y1 + y;
  const double of_ball = rho == no_ball ? 0 : rho * r.shrunk(y1, tau).norm();
  const double dual = sum.dot(v) - sum.squaredNorm() / 2 - of_ball - y.dot(ball.c) - ball.epsilon * r.dual_norm(y);
  return (w - v).squaredNorm() / 2 + tau * r.norm(w) - dual;
}

}  // namespace

Vector prox_in_ball(const Regularizer& r, VectorRef v, double step, double rho) {
  Vector w = step == 0 ? Vector(v) : r.prox(v, step);
  if (rho == no_ball) return w;
  const double size = w.norm();
  if (size > rho) w *= rho / size;
  return w;
}

Flops prox_in_ball_flops(const Regularizer& r, Index d, double rho) {
  return r.prox_flops(d) + (rho == no_ball ? 0 : 3 * d);
}

Flops prox_in_balls_flops(const ScaledNorm& r, Index d, double rho) {
  return prox_in_ball_flops(r, d, rho) + d + r.norm_flops(d);
}

BallProx prox_in_balls_by_admm(const ScaledNorm& r, VectorRef v, double step, NormBall ball, double rho) {
  const double tau = step * r.weight();
  constexpr Index most = 20000;
  constexpr double aim = 1e-13;
  BallProx result{.w = prox_in_ball(r, v, step, rho)};
  Vector& w = result.w;
  Vector u = w, y = Vector::Zero(v.size());
  bool done = false;
  for (; !done && result.iterations < most; ++result.iterations) {
    w = prox_in_ball(r, (v + u - y) / 2, step / 2, rho);
    const Vector before = u;
    u = ball.c + r.projected(w + y - ball.c, ball.epsilon);
    y += w - u;
    const double small = aim * (1 + w.norm());
    done = !w.allFinite() || ((w - u).norm() <= small && (u - before).norm() <= small);
  }
  result.gap = duality_gap(r, v, tau, ball, rho, w, y);
  const bool is_in_ball = (w - u).norm() <= 1e-6 * (1 + w.norm());  // u is; outside of it the gap says nothing
  result.is_found = done || (is_in_ball && result.gap <= 1e-12 * (1 + v.squaredNorm()));
  result.extra = result.iterations * (2 * prox_in_ball_flops(r, v.size(), rho) + 6 * v.size());
  return result;
}

BallProx prox_in_balls(const ScaledNorm& r, VectorRef v, double step, NormBall ball, double rho, BallRule rule) {
  BallProx result{.w = prox_in_ball(r, v, step, rule == BallRule::exact ? rho : no_ball)};
  if (ball.epsilon == no_ball || r.norm(result.w - ball.c) <= ball.epsilon) return result;
  if (ball.epsilon == 0) return {.w = ball.c};
  if (rule == BallRule::shortcut) {
    result.w = ball.c + r.projected(result.w - ball.c, ball.epsilon);
    result.extra = r.prox_flops(v.size());
    return result;
  }
  if (!is_l1(r)) return prox_in_balls_by_admm(r, v, step, ball, rho);
  const double d = static_cast<double>(v.size());
  result.w = in_l1_balls(v, step * r.weight(), ball, rho);
  result.extra = std::llround(16 * d * std::log2(4 * d));
  return result;
}

}  // namespace lagnet
