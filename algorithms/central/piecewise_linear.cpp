#include "algorithms/central/piecewise_linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/central/certificate.hpp"
#include "algorithms/central/column_factors.hpp"
#include "algorithms/central/least_squares.hpp"
#include "algorithms/central/newton.hpp"
#include "algorithms/central/normal_equations.hpp"
#include "algorithms/objectives/losses/losses.hpp"

namespace lagnet {
namespace {

constexpr Index most_near = 4000;  // samples near the kink, of many: minutes in all

/// minimize sum_i high_i (r_i)+ - low_i (-r_i)+ + sum_j A_j |phi_j| + (B_j/2) phi_j^2, r = X phi - c.
struct Program {
  const DataMatrix& X;
  Vector c, low, high;  // (rows)
  Vector A, B;          // (cols)
};

/// With theta = diag(factors) phi; X is that of the problem with its columns times the factors.
Program program_of(const Problem& problem, const DataMatrix& X, const Vector& factors) {
  const double samples = static_cast<double>(problem.samples);
  Program made{.X = X,
               .c = problem.y,
               .low = Vector(problem.y.size()),
               .high = Vector(problem.y.size()),
               .A = samples * problem.regularizer->l1_weight().value() * factors,
               .B = samples * problem.regularizer->l2_weight().value() * factors.cwiseAbs2()};
  for (Index i = 0; i < problem.y.size(); ++i) {
    const Loss::Slopes slopes = problem.loss->slopes(problem.y[i]).value();
    made.low[i] = slopes.below;
    made.high[i] = slopes.above;
  }
  return made;
}

/// One point or one step of the method. m = n rows of X, and d more if there is an l1 norm.
struct Iterate {
  Vector theta;         // coefficients (d)
  Vector u, v;          // positive and negative part of M theta - c (m)
  Vector lam;           // dual (m)
  Vector above, below;  // high - lam and lam - low, kept apart because they lose no digits near the bounds (m)
};

/// The largest alpha <= 1 with x + alpha dx >= 0.
double longest(const Vector& x, const Vector& dx) {
  double alpha = 1;
  for (Index i = 0; i < x.size(); ++i) {
    if (dx[i] < 0) alpha = std::min(alpha, -x[i] / dx[i]);
  }
  return alpha;
}

class InteriorPoint {
 public:
  explicit InteriorPoint(const Program& program)
      : X_(program.X),
        y_(program.c),
        n_(X_.rows()),
        d_(X_.cols()),
        has_l1_(!program.A.isZero(0)),
        m_(has_l1_ ? n_ + d_ : n_),
        A_(program.A),
        B_(program.B),
        low_(Vector::Constant(m_, -1)),
        high_(Vector::Ones(m_)),
        normal_(X_) {
    low_.head(n_) = program.low;
    high_.head(n_) = program.high;
  }

  /// Around theta, with u and v well inside.
  void start(const Vector& theta) {
    const Vector residual = rows_of(theta) - target();
    const double inside = std::max(residual.cwiseAbs().mean(), 1e-3 * y_.cwiseAbs().mean());
    at_.theta = theta;
    at_.u = residual.cwiseMax(0).array() + inside;
    at_.v = (-residual).cwiseMax(0).array() + inside;
    at_.lam = (low_ + high_) / 2;
    at_.above = at_.below = (high_ - low_) / 2;
  }

  void step() {
    E_ = at_.u.cwiseQuotient(at_.above) + at_.v.cwiseQuotient(at_.below);
    Vector D = B_;
    if (has_l1_) D += A_.cwiseAbs2().cwiseProduct(E_.tail(d_).cwiseInverse());
    normal_.set(E_.head(n_), D);
    const double mu = complementarity(at_);
    const Vector products_u = at_.u.cwiseProduct(at_.above), products_v = at_.v.cwiseProduct(at_.below);
    const Iterate affine = direction(-products_u, -products_v);
    const double sigma = std::pow(complementarity(moved(affine, step_length(affine))) / mu, 3);
    const Vector right_u = (sigma * mu - products_u.array()).matrix() + affine.u.cwiseProduct(affine.lam);
    const Vector right_v = (sigma * mu - products_v.array()).matrix() - affine.v.cwiseProduct(affine.lam);
    const Iterate corrected = direction(right_u, right_v);
    at_ = moved(corrected, 0.9995 * step_length(corrected));
  }

  const Vector& theta() const { return at_.theta; }

  /// The part of lam that belongs to the rows of X; without a regularizer moved to the null space of X', along
  /// the metric of the last step, which leaves the entries at their bounds where they are, and brought back between
  /// these.
  Vector dual() const {
    Vector lam = at_.lam.head(n_);
    if (has_l1_ || !B_.isZero(0)) return lam;
    for (int pass = 0; pass < 3; ++pass) {
      lam += normal_.solve(Vector::Zero(n_), -X_.transpose_times(lam)).dlam;
    }
    lam /= std::max(1.0, lam.lpNorm<Eigen::Infinity>() * (1 + 1e-15));
    return lam.cwiseMax(low_.head(n_)).cwiseMin(high_.head(n_));
  }

 private:
  Vector rows_of(const Vector& theta) const {  // M theta
    Vector result(m_);
    result.head(n_) = X_.times(theta);
    if (has_l1_) result.tail(d_) = A_.cwiseProduct(theta);
    return result;
  }
  Vector columns_of(const Vector& lam) const {  // M' lam
    Vector result = X_.transpose_times(lam.head(n_));
    if (has_l1_) result += A_.cwiseProduct(lam.tail(d_));
    return result;
  }
  Vector target() const {  // c
    Vector result = Vector::Zero(m_);
    result.head(n_) = y_;
    return result;
  }
  double complementarity(const Iterate& at) const {
    return (at.u.dot(at.above) + at.v.dot(at.below)) / static_cast<double>(2 * m_);
  }

  /// Newton's step with above du - u dlam = right_u, below dv + v dlam = right_v, as M dtheta - E dlam = h,
  /// M' dlam + B dtheta = dual.
  Iterate direction(const Vector& right_u, const Vector& right_v) const {
    const Vector primal = at_.u - at_.v - rows_of(at_.theta) + target();
    const Vector h = primal + right_u.cwiseQuotient(at_.above) - right_v.cwiseQuotient(at_.below);
    const Vector dual = -columns_of(at_.lam) - B_.cwiseProduct(at_.theta);
    // The rows of M that belong to the l1 norm are diagonal, and go into the second equation.
    const Vector h_of_l1 = has_l1_ ? h.tail(d_) : Vector();
    const Vector E_of_l1 = has_l1_ ? E_.tail(d_) : Vector();
    const Vector right = has_l1_ ? Vector(dual + A_.cwiseProduct(h_of_l1.cwiseQuotient(E_of_l1))) : dual;
    const NormalEquations::Solution solution = normal_.solve(h.head(n_), right);
    Iterate d;
    d.theta = solution.dtheta;
    d.lam.resize(m_);
    d.lam.head(n_) = solution.dlam;
    if (has_l1_) d.lam.tail(d_) = (A_.cwiseProduct(d.theta) - h_of_l1).cwiseQuotient(E_of_l1);
    d.u = (right_u + at_.u.cwiseProduct(d.lam)).cwiseQuotient(at_.above);
    d.v = (right_v - at_.v.cwiseProduct(d.lam)).cwiseQuotient(at_.below);
    d.above = -d.lam;
    d.below = d.lam;
    return d;
  }
  double step_length(const Iterate& d) const {
    return std::min(std::min(longest(at_.u, d.u), longest(at_.v, d.v)),
                    std::min(longest(at_.above, d.above), longest(at_.below, d.below)));
  }
  Iterate moved(const Iterate& d, double alpha) const {
    Iterate next{at_.theta + alpha * d.theta, at_.u + alpha * d.u, at_.v + alpha * d.v, {}, {}, {}};
    next.above = at_.above + alpha * d.above;
    next.below = at_.below + alpha * d.below;
    next.lam = (next.above.array() < next.below.array()).select(high_ - next.above, low_ + next.below);
    return next;
  }

  const DataMatrix& X_;
  const Vector& y_;
  Index n_, d_;
  bool has_l1_;
  Index m_;
  const Vector &A_, &B_;
  Vector low_, high_;  // bounds of lam (m)
  Iterate at_;
  Vector E_;  // diagonal of the last step's system (m)
  NormalEquations normal_;
};

/// With the dual point (n) that its certificate is of.
struct Certified : Optimum {
  Vector lam;
};

Certified certify(const Problem& problem, const Vector& theta, const Vector& lam, const std::string& method) {
  const Vector scores = problem.X->times(theta);
  const Certificate proof{CertificateKind::duality_gap, duality_gap(problem, theta, scores, lam), method};
  return {{theta, problem.objective_of_scores(scores, theta), proof}, lam};
}

/// Interior point steps until the certificate, which `certify_now(theta, lam)` gives, no longer improves.
template <class Certify>
Certified follow(InteriorPoint& method, Certified best, const Certify& certify_now) {
  int idle = 0;
  for (int step = 0; step < 200 && idle < 8 && best.certificate.relative > 1e-15; ++step) {
    method.step();
    if (!method.theta().allFinite()) break;
    Certified now = certify_now(method.theta(), method.dual());
    idle = now.certificate.relative < best.certificate.relative || best.certificate.relative > 1e-6 ? 0 : idle + 1;
    if (now.certificate.relative < best.certificate.relative) best = std::move(now);
  }
  return best;
}

/// The minimizer with a smoothed hinge loss, by way of smoother ones: far from it a small gamma leads Newton's method
/// astray.
Vector minimizer_of_smoothed(const Problem& problem, double gamma) {
  Vector theta = Vector::Zero(problem.X->cols());
  for (const double smoother : {1.0, 1e-1, 1e-2, 1e-3, gamma}) {
    const auto loss = make_loss(SmoothedHingeOptions{.gamma = smoother});
    const double samples = static_cast<double>(problem.samples), l2 = problem.regularizer->l2_weight().value();
    const FaceProblem face{*problem.X, problem.y, samples, *loss, 0, l2};
    theta = minimize_on_face(face, theta, 300).phi;
  }
  return theta;
}

/// The hinge loss with an l2 norm alone, for more rows than a dense system takes: a smoothed hinge loss shows on which
/// side of the kink most samples are, which gives their lam; the interior point method solves for the samples near it.
/// Samples found on the wrong side join these, until no sample is wrong.
Certified solve_near_kinks(const Problem& problem, const Program& all, const Vector& factors, Certified best) {
  const double gamma = 1e-4;
  const Index n = all.X.rows();
  Vector margins = problem.y.cwiseProduct(problem.X->times(minimizer_of_smoothed(problem, gamma)));
  std::vector<bool> near(static_cast<std::size_t>(n), false);
  const auto join = [&](const auto& belongs) {
    bool some = false;
    for (Index i = 0; i < n; ++i) {
      const auto place = static_cast<std::size_t>(i);
      if (near[place] || !belongs(i)) continue;
      near[place] = some = true;
    }
    return some;
  };
  const std::string method = "interior point method on the samples near the kink";
  join([&](Index i) { return std::abs(margins[i] - (1 - gamma / 2)) <= gamma; });
  for (int pass = 0; pass < 20; ++pass) {
    std::vector<Index> rows;
    Vector lam(n);  // of the others: the slope on their side
    for (Index i = 0; i < n; ++i) {
      const bool is_near = near[static_cast<std::size_t>(i)];
      if (is_near) rows.push_back(i);
      lam[i] = is_near || margins[i] > 1 ? 0 : problem.y[i] > 0 ? all.low[i] : all.high[i];
    }
    if (std::ssize(rows) > most_near) return best;
    // X'lam + B theta = 0 with theta = phi - X'lam_others / B is X_near'lam_near + B phi = 0.
    const Vector shift = -all.X.transpose_times(lam).cwiseQuotient(all.B);
    const DataMatrix X = all.X.rows(rows);
    const Program program{.X = X,
                          .c = Vector(all.c(rows)) - X.times(shift),
                          .low = Vector(all.low(rows)),
                          .high = Vector(all.high(rows)),
                          .A = Vector::Zero(all.X.cols()),
                          .B = all.B};
    // All there is to find where no sample is near.
    Certified now = certify(problem, factors.cwiseProduct(shift), lam, method);
    if (!rows.empty()) {
      InteriorPoint interior(program);
      interior.start(Vector::Zero(all.X.cols()));
      now.certificate.relative = std::numeric_limits<double>::infinity();
      now = follow(interior, now, [&](const Vector& phi, const Vector& of_near) {
        lam(rows) = of_near;
        return certify(problem, factors.cwiseProduct(phi + shift), lam, method);
      });
    }
    if (now.certificate.relative < best.certificate.relative) best = now;
    margins = problem.y.cwiseProduct(problem.X->times(now.theta));
    if (!join([&](Index i) { return (lam[i] == 0) != (margins[i] > 1); })) return best;
  }
  return best;
}

Certified solve(const Problem& problem, Index largest_system) {
  const Index n = problem.X->rows(), d = problem.X->cols();
  const Vector factors = column_factors(*problem.X);
  Problem scaled = problem;
  if ((factors.array() != 1).any()) scaled.X = std::make_shared<const DataMatrix>(scaled_columns(*problem.X, factors));
  const Program program = program_of(problem, *scaled.X, factors);
  const bool has_l1 = !program.A.isZero(0), has_l2 = !program.B.isZero(0), regularized = has_l1 || has_l2;
  // Without a regularizer the gap is charged what theta is, which is scaled then.
  const auto certify_at = [&](const Vector& phi, const Vector& lam, const std::string& method) {
    if (regularized) return certify(problem, factors.cwiseProduct(phi), lam, method);
    Certified made = certify(scaled, phi, lam, method);
    made.theta = factors.cwiseProduct(phi);
    return made;
  };
  const std::string method = "interior point method";
  Certified best = certify_at(Vector::Zero(d), Vector::Zero(n), method);
  if ((regularized ? std::min(n, d) : d) > largest_system) {
    best.certificate.method = "none: too large for dense normal equations";
    const bool is_hinge = problem.loss->kind() == HingeOptions::kind;
    return is_hinge && !has_l1 && has_l2 ? solve_near_kinks(problem, program, factors, best) : best;
  }
  InteriorPoint interior(program);
  const auto fitted = regularized ? std::nullopt : least_squares(*scaled.X, problem.y, 0);
  // Where the labels can be met exactly, least squares is the minimizer of least norm and lam = 0 proves it.
  if (fitted) best = certify_at(*fitted, Vector::Zero(n), "least squares: the labels are met exactly");
  if (best.certificate.relative <= attainable_relative) return best;
  interior.start(fitted ? *fitted : Vector(Vector::Zero(d)));
  best = follow(interior, best, [&](const Vector& phi, const Vector& lam) { return certify_at(phi, lam, method); });
  if (regularized) return best;
  const Vector phi = best.theta.cwiseQuotient(factors);
  const Certified shorter = certify_at(without_null_space(*scaled.X, phi), interior.dual(), method);
  return shorter.certificate.relative <= std::max(1e-13, best.certificate.relative) ? shorter : best;
}

}  // namespace

Optimum solve_piecewise_linear(const Problem& problem, Index largest_system) {
  const Certified found = solve(problem, largest_system);
  return proven(problem, found, found.lam);
}

}  // namespace lagnet
