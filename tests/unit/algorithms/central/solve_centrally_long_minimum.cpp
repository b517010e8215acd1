#include "tests/unit/algorithms/central/solve_centrally_long_minimum.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/errors.hpp"

namespace lagnet::testing {
namespace {

using Real = long double;
using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Square = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

struct Curve {
  Real value, slope, curvature;
};

/// |t| and (t)+ within mu.
Curve rounded_absolute(Real t, Real mu) {
  const Real root = std::hypot(t, mu);
  if (root == 0) return {0, 0, 0};
  return {root, t / root, mu / root * (mu / root) / root};
}
Curve rounded_positive(Real t, Real mu) {
  const Curve around = rounded_absolute(t, mu);
  return {(t + around.value) / 2, (1 + around.slope) / 2, around.curvature / 2};
}

/// l of one score; mu = 0: exactly.
Curve loss_of(const std::string& kind, Real a, Real y, Real mu) {
  const Real t = a - y, m = y * a;
  if (kind == "squared") return {t * t / 2, t, 1};
  if (kind == "logistic") {
    const Real value = m > 0 ? std::log1p(std::exp(-m)) : std::log1p(std::exp(m)) - m, p = 1 / (1 + std::exp(m));
    return {value, -y * p, p * (1 - p)};
  }
  if (kind == "huber") {
    const Real threshold = static_cast<double>(0.8);
    if (std::abs(t) <= threshold) return {t * t / 2, t, 1};
    return {threshold * (std::abs(t) - threshold / 2), std::copysign(threshold, t), 0};
  }
  if (kind == "absolute") return mu > 0 ? rounded_absolute(t, mu) : Curve{std::abs(t), 0, 0};
  if (kind == "hinge") {
    if (mu == 0) return {std::max<Real>(0, 1 - m), 0, 0};
    const Curve positive = rounded_positive(1 - m, mu);
    return {positive.value, -y * positive.slope, positive.curvature};
  }
  LAGNET_CHECK(kind == "smoothed_hinge", "{} has no formula here", kind);
  const Real gamma = static_cast<double>(0.6), left = 1 - m;
  if (left <= 0) return {0, 0, 0};
  if (left <= gamma) return {left * left / (2 * gamma), -y * left / gamma, 1 / gamma};
  return {left - gamma / 2, -y, 0};
}

/// F in phi, theta_j = factor_j phi_j, kinks rounded off by mu.
class Scaled {
 public:
  explicit Scaled(const Problem& problem)
      : kind_(problem.loss->kind()),
        c_(problem.loss->outputs()),
        n_(problem.X->rows()),
        y_(problem.y.cast<Real>()),
        samples_(static_cast<Real>(problem.samples)) {
    x_ = problem.X->dense().cast<Real>();
    factors_ = Column::Ones(x_.cols());
    for (Index j = 0; j < x_.cols(); ++j) {
      const Real size = x_.col(j).cwiseAbs().maxCoeff();
      if (size > 0) factors_[j] = std::ldexp(Real(1), -std::ilogb(size));
    }
    x_ = x_ * factors_.asDiagonal();
    a_ = static_cast<Real>(problem.regularizer->l1_weight().value()) * factors_.transpose().replicate(c_, 1).reshaped();
    b_ = static_cast<Real>(problem.regularizer->l2_weight().value()) *
         factors_.cwiseAbs2().transpose().replicate(c_, 1).reshaped();
  }

  Column entries(const Column& theta) const {
    return theta.cwiseQuotient(Column(factors_.transpose().replicate(c_, 1).reshaped()));
  }

  Real value(const Column& phi, Real mu, Column* gradient = nullptr, Square* hessian = nullptr) const {
    const Index dim = phi.size();
    if (gradient) *gradient = Column::Zero(dim);
    if (hessian) *hessian = Square::Zero(dim, dim);
    Real sum = 0;
    for (Index i = 0; i < n_; ++i)
      sum += c_ == 1 ? add_one_score(i, phi, mu, gradient, hessian) : add_softmax(i, phi, gradient, hessian);
    sum /= samples_;
    if (gradient) *gradient /= samples_;
    if (hessian) *hessian /= samples_;
    for (Index j = 0; j < dim; ++j) {
      const Real at = phi[j];
      const Curve kink = mu > 0 ? rounded_absolute(at, mu) : Curve{std::abs(at), 0, 0};
      sum += a_[j] * kink.value + b_[j] / 2 * at * at;
      if (gradient) (*gradient)[j] += a_[j] * kink.slope + b_[j] * at;
      if (hessian) (*hessian)(j, j) += a_[j] * kink.curvature + b_[j];
    }
    return sum;
  }

 private:
  Real add_one_score(Index i, const Column& phi, Real mu, Column* gradient, Square* hessian) const {
    const auto row = x_.row(i);
    const Curve at = loss_of(kind_, row.dot(phi), y_[i], mu);
    if (gradient) *gradient += at.slope * row.transpose();
    if (hessian) *hessian += at.curvature * row.transpose() * row;
    return at.value;
  }
  Real add_softmax(Index i, const Column& phi, Column* gradient, Square* hessian) const {
    const Eigen::Map<const Square> W_t(phi.data(), c_, x_.cols());
    const Column scores = W_t * x_.row(i).transpose();
    const Real largest = scores.maxCoeff();
    Column p = (scores.array() - largest).exp();
    const Real total = p.sum();
    p /= total;
    const Index label = static_cast<Index>(y_[i]);
    for (Index j = 0; j < x_.cols(); ++j)
      for (Index k = 0; k < c_; ++k) {
        if (gradient) (*gradient)[j * c_ + k] += x_(i, j) * (p[k] - (k == label ? 1 : 0));
        if (!hessian) continue;
        for (Index other = 0; other < x_.cols(); ++other)
          for (Index q = 0; q < c_; ++q)
            (*hessian)(j * c_ + k, other * c_ + q) += x_(i, j) * x_(i, other) * ((k == q ? p[k] : 0) - p[k] * p[q]);
      }
    return largest + std::log(total) - scores[label];
  }

  std::string kind_;
  Index c_, n_;
  Column y_;
  Real samples_;
  Square x_;
  Column factors_, a_, b_;
};

/// Newton's method with halved steps; the Hessian gets a little of its own diagonal where it is singular.
Column newton(const Scaled& F, Column phi, Real mu) {
  for (int step = 0; step < 60; ++step) {
    Column g;
    Square H;
    const Real now = F.value(phi, mu, &g, &H);
    bool moved = false;
    for (const Real ridge : {Real(1e-17), Real(1e-12), Real(1e-7), Real(1e-2)}) {
      Square shifted = H;
      shifted.diagonal() +=
          ridge * (H.diagonal().array() + H.diagonal().maxCoeff() * Real(1e-3) + Real(1e-30)).matrix();
      const Eigen::LDLT<Square> factor(shifted);
      const Column p = -factor.solve(g);
      if (!p.allFinite() || !(p.dot(g) < 0)) continue;
      for (Real t = 1; t > 1e-9L; t /= 2) {
        const Column next = phi + t * p;
        const Real value = F.value(next, mu);
        if (!(value < now + Real(1e-4) * t * p.dot(g))) continue;
        phi = next;
        moved = true;
        if (now - value <= 1e-21L * std::abs(now)) return phi;
        break;
      }
      if (moved) break;
    }
    if (!moved) break;
  }
  return phi;
}

}  // namespace

long double long_objective(const Problem& problem, const Column& theta) {
  const Scaled F(problem);
  return F.value(F.entries(theta), 0);
}

long double long_minimum(const Problem& problem, const Vector& near) {
  const Scaled F(problem);
  const bool has_kinks = problem.regularizer->l1_weight().value() > 0 || !problem.loss->smoothness();
  Real least = std::numeric_limits<Real>::infinity();
  for (const Column& start : {F.entries(near.cast<Real>()), Column(Column::Zero(near.size()))}) {
    Column phi = start;
    least = std::min(least, F.value(phi, 0));
    // From the first start the last roundings are enough.
    for (Real mu = has_kinks ? (start.isZero(0) ? 1 : 1e-6L) : 0;; mu *= 0.1L) {
      phi = newton(F, phi, mu);
      const Real value = F.value(phi, 0);
      if (value < least) least = value;
      if (mu < 1e-18L) break;
    }
  }
  return least;
}

}  // namespace lagnet::testing
