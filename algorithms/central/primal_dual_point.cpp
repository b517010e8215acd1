#include "algorithms/central/primal_dual_point.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/central/column_factors.hpp"
#include "algorithms/central/gram.hpp"

namespace lagnet {

namespace {

/// Proven bounds on the inverse of G = A' diag(weights) A, weights >= 0 (rows of A). A Cholesky factor of G - s I that
/// exists in floating point proves that the smallest eigenvalue of G is at least s less what rounding may do (Rump,
/// "Verification of positive definiteness", BIT 46, 2006); what the products of G round is charged as well. In extended
/// precision where that takes a fraction of a second.
class VerifiedGram {
 public:
  /// Nothing where G is singular, or so close to it that rounding hides the difference. The columns of A should be of
  /// similar size.
  static std::optional<VerifiedGram> of(const DataMatrix& A, const Vector& weights);

  /// At least sqrt(z' G^-1 z) for every z with |z - center| <= radius, entry by entry (cols).
  double norm_of(const Vector& center, const Vector& radius) const;

 private:
  using Extended = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  VerifiedGram() = default;
  template <class Real>
  static std::optional<VerifiedGram> from(Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> gram, Index rows);

  Extended gram_;     // both triangles (cols x cols)
  Extended inverse_;  // about G^-1
  double error_ = 0;  // at least |gram_ - G|
  double least_ = 0;  // at most the smallest eigenvalue of G
};

constexpr double least_room = 1e-13;    // of lam to its bounds: less is rounding of an interior point method
constexpr double next_to_zero = 1e-13;  // slopes that count as 0, of losses with flat pieces

constexpr double most_extended_products = 3e7;  // a quarter of a second
constexpr double most_columns = 2048;           // a factor takes a second

/// About the smallest eigenvalue, by inverse iteration.
template <class Real, class Factor>
Real smallest_eigenvalue(const Factor& factor, Index order) {
  Eigen::Matrix<Real, Eigen::Dynamic, 1> v(order);
  for (Index k = 0; k < order; ++k) v[k] = 1 + Real(k % 7) / 8;  // any start that is not orthogonal to the eigenvector
  v.normalize();
  Real grown = 1;
  for (int step = 0; step < 12; ++step) {
    v = factor.solve(v).eval();
    grown = v.norm();
    v /= grown;
  }
  return 1 / grown;
}

}  // namespace

PrimalDualPoint::PrimalDualPoint(const Claim& claim)
    : problem_(claim.problem),
      theta_(claim.theta),
      value_(claim.value),
      samples_(static_cast<double>(problem_.samples)),
      n_(problem_.X->rows()),
      c_(problem_.loss->outputs()),
      sample_(problem_),
      scores_(bounded_scores(problem_, theta_)),
      lam_(is_smooth() ? problem_.loss->derivative(scores_.value, problem_.y) : claim.lam) {
  radius_ = Vector::Zero(lam_.size());
  const bool may_be_flat = is_smooth() && c_ == 1 && problem_.loss->has_conjugate() && problem_.loss->has_curvature() &&
                           problem_.loss->lipschitz() && problem_.loss->attains_infimum();
  if (is_smooth())
    for (Index i = 0; i < lam_.size(); ++i) radius_[i] = slope_error(i);
  if (may_be_flat) settle_flat_pieces();
  pull_ = bounded_pull(problem_, lam_, radius_);
}

/// Where the loss is linear, rounding of the score does not change l'. Where l' is next to 0, lam = 0 costs next to
/// nothing, and takes the sample out of what must add up.
void PrimalDualPoint::settle_flat_pieces() {
  const Vector above = problem_.loss->derivative(scores_.value + 4 * scores_.error, problem_.y);
  const Vector below = problem_.loss->derivative(scores_.value - 4 * scores_.error, problem_.y);
  const Vector curvature = problem_.loss->curvature(scores_.value, problem_.y);
  for (Index i = 0; i < n_; ++i) {
    if (curvature[i] == 0 && above[i] == below[i]) radius_[i] = 0;
    if (std::abs(lam_[i]) > next_to_zero * std::min(1.0, *problem_.loss->lipschitz()) * sample_.weight(i)) continue;
    settled_ += sample_.conjugate(0, i) + sample_.value(scores_.value, i) +
                (std::abs(lam_[i]) + radius_[i]) * (scores_.error[i] + 4 * u * (std::abs(scores_.value[i]) + 1));
    lam_[i] = radius_[i] = 0;
  }
}

/// What rounding does to l'(a) at the exact score: a few operations on numbers of the size of a and the label. Of
/// softmax one operation for each class, on numbers of the size of the largest score; all scores change each entry.
double PrimalDualPoint::slope_error(Index i) const {
  const double L = problem_.loss->smoothness().value();
  const Index sample = i / c_;
  if (c_ == 1)
    return L * scores_.error[i] +
           4 * u * (std::abs(lam_[i]) + L * (std::abs(scores_.value[i]) + std::abs(problem_.y[sample])));
  const double largest = scores_.value.segment(sample * c_, c_).lpNorm<Eigen::Infinity>();
  const double error = scores_.error.segment(sample * c_, c_).maxCoeff();
  const double roundings = static_cast<double>(c_) + 8;
  return L * error + roundings * u * (std::abs(lam_[i]) + L * (std::abs(scores_.value[i]) + largest));
}

/// At least |l'| where rounding may have the score.
double PrimalDualPoint::slope(Index i) const {
  if (is_smooth()) return std::abs(lam_[i]);
  const Loss::Slopes slopes = problem_.loss->slopes(problem_.y[i]).value();
  const double t = scores_.value[i] - problem_.y[i], error = distance_to_kink(i) - std::abs(t);
  return std::max(t > -error ? std::abs(slopes.above) : 0, t < error ? std::abs(slopes.below) : 0);
}

double PrimalDualPoint::rounding_of_value() const {
  ExtendedSum losses, of_r;
  double rounding = 0, r = 0;
  if (problem_.loss->prefers_samples_at_once()) {
    const double total = problem_.loss->total(scores_.value, problem_.y);
    losses.add(total);
    rounding += (static_cast<double>(n_) + 4) * u * total;
  } else {
    for (Index i = 0; i < n_; ++i) losses.add(sample_.value(scores_.value, i));
    rounding += 4 * u * losses.value();
  }
  for (Index i = 0; i < lam_.size(); ++i)
    rounding += slope(i) * (scores_.error[i] + u * (std::abs(scores_.value[i]) + std::abs(problem_.y[i / c_])));
  // log sum exp(a) - a_y takes the largest score out, and rounds next to it.
  if (c_ > 1)
    for (Index i = 0; i < n_; ++i)
      rounding += 4 * u * sample_.weight(i) * scores_.value.segment(i * c_, c_).lpNorm<Eigen::Infinity>();
  if (const auto a = problem_.regularizer->l1_weight()) {
    const long double weight = *a, half = problem_.regularizer->l2_weight().value() / 2;
    for (const double entry : theta_) of_r.add(weight * std::abs(entry) + half * entry * entry);
    r = of_r.value();
  } else {
    r = problem_.regularizer->value(theta_);
    rounding += samples_ * 1e-13 * r;  // singular values
  }
  return std::max(value_ - (losses.value() / samples_ + r), 0.0) + rounding / samples_ + 4 * u * std::abs(value_);
}

/// A loss with one kink at the label: its slope beside the kink less lam, times the way to the kink.
double PrimalDualPoint::distance_to_kink(Index i) const {
  return std::abs(scores_.value[i] - problem_.y[i]) + scores_.error[i] + u * std::abs(problem_.y[i]);
}

double PrimalDualPoint::sum_of_losses() const {
  if (is_smooth()) return (1 + 8 * u) * std::max(settled_, 0.0) / samples_;
  ExtendedSum sum;
  for (Index i = 0; i < n_; ++i) {
    const Loss::Slopes slopes = problem_.loss->slopes(problem_.y[i]).value();
    const double t = scores_.value[i] - problem_.y[i], error = distance_to_kink(i) - std::abs(t);
    sum.add((slopes.above - lam_[i]) * std::max(t + error, 0.0) + (lam_[i] - slopes.below) * std::max(error - t, 0.0));
  }
  return (1 + 8 * u) * sum.value() / samples_;
}

double PrimalDualPoint::change(const Correction& made) const {
  if (is_smooth()) return made.nu * made.nu / samples_;
  double squares = 0;
  for (Index i = 0; i < n_; ++i) squares += std::pow(made.root_weights[i] * distance_to_kink(i), 2);
  return 1.01 * made.nu * std::sqrt(squares) / samples_;
}

/// w: where l is curved its second derivative, of softmax at most that of any direction; else a power of the way to the
/// bounds of lam.
Vector PrimalDualPoint::metric(double power) const {
  Vector w = Vector::Zero(n_);
  if (is_smooth() && c_ == 1) {
    if (problem_.loss->has_curvature())
      w = (lam_.array() != 0).select((1 - 8 * u) * problem_.loss->curvature(scores_.value, problem_.y), 0.0);
    return w;
  }
  for (Index i = 0; i < n_; ++i) {
    if (c_ > 1)
      w[i] = room(i);
    else if (lam_[i] != 0 && room(i) > least_room)
      w[i] = std::pow(room(i), power);
  }
  return w;
}

double PrimalDualPoint::room(Index i) const {
  if (c_ > 1) {
    Vector p = lam_.segment(i * c_, c_) / sample_.weight(i);
    p[static_cast<Index>(problem_.y[i])] += 1;
    return std::max(0.0, p.minCoeff() - 16 * u) * sample_.weight(i);
  }
  const auto slopes = problem_.loss->slopes(problem_.y[i]);
  return slopes ? std::max(0.0, std::min(slopes->above - lam_[i], lam_[i] - slopes->below))
                : std::numeric_limits<double>::infinity();
}

std::optional<Correction> PrimalDualPoint::corrected(const std::vector<Index>& columns, const Vector& target) const {
  if (is_smooth()) return corrected(columns, metric(1), target, true);
  for (const double power : {2, 1, 0})
    if (const auto made = corrected(columns, metric(power), target, true)) return made;
  return std::nullopt;
}

std::optional<Correction> PrimalDualPoint::corrected(const std::vector<Index>& columns, Vector w, const Vector& target,
                                                     bool stays_in_domain) const {
  const DataMatrix chosen = problem_.X->columns(columns);
  const auto fits = [&](Index i, double moved) {
    if (moved == 0 || !stays_in_domain) return true;
    if (c_ > 1 || !is_smooth()) return moved <= room(i);
    const double away = moved + radius_[i];
    return std::isfinite(sample_.conjugate(lam_[i] - away, i)) && std::isfinite(sample_.conjugate(lam_[i] + away, i));
  };
  const Index count = std::ssize(columns);
  for (int pass = 0; pass < 5; ++pass) {
    const Vector root = w.cwiseSqrt();
    Vector factors(count);
    for (Index k = 0; k < count; ++k) {
      const DataMatrix one = chosen.columns(k, 1);
      const double plain = power_of_two_for(one.dense().cwiseAbs().maxCoeff());
      factors[k] = plain * power_of_two_for((one.dense() * plain).col(0).cwiseProduct(root).norm());
    }
    const auto gram = VerifiedGram::of(scaled_columns(chosen, factors), w);
    if (!gram) return std::nullopt;
    double squares = 0;
    for (Index output = 0; output < c_; ++output) {
      Vector z(count), radius(count);
      for (Index k = 0; k < count; ++k) {
        const Index j = columns[static_cast<std::size_t>(k)] * c_ + output;
        const double goal = samples_ * target[j];
        z[k] = factors[k] * (pull_.value[j] + goal);
        radius[k] = factors[k] * (pull_.error[j] + 8 * u * (std::abs(goal) + std::abs(pull_.value[j])));
      }
      squares += std::pow(gram->norm_of(z, radius), 2);
    }
    Correction made{std::sqrt(squares) * (1 + 8 * u), root};
    if (!std::isfinite(made.nu)) return std::nullopt;
    bool all_fit = true;
    for (Index i = 0; i < n_; ++i) {
      if (fits(i, root[i] * made.nu)) continue;
      w[i] = 0;
      all_fit = false;
    }
    if (all_fit) return made;
  }
  return std::nullopt;
}

template <class Real>
std::optional<VerifiedGram> VerifiedGram::from(Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> gram, Index rows) {
  using Square = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  const Index order = gram.rows();
  if (!gram.allFinite()) return std::nullopt;
  gram.template triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  const Real unit = std::numeric_limits<Real>::epsilon() / 2;
  const Real k = static_cast<Real>(order), largest = gram.diagonal().maxCoeff();
  // An entry of G is a sum of `rows` products with a weight, which may have been a root: |error_jk| is at most the
  // usual (rows + 6) units of sqrt(G_jj G_kk).
  const Real error = Real(1.01) * k * (static_cast<Real>(rows) + 6) * unit * largest;
  Eigen::LLT<Square> factor(gram);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Real estimate = smallest_eigenvalue<Real>(factor, order);
  for (const Real share : {Real(0.5), Real(0.1), Real(0.01)}) {
    const Real shift = share * estimate;
    Square shifted = gram;
    shifted.diagonal().array() -= shift;
    if (Eigen::LLT<Square>(shifted).info() != Eigen::Success) continue;
    const Real least = shift * (1 - 2 * unit) - Real(1.01) * (k + 4) * unit * gram.trace() - error;
    if (!(least > 0)) return std::nullopt;
    VerifiedGram made;
    made.gram_ = gram.template cast<long double>();
    made.inverse_ = factor.solve(Square::Identity(order, order)).template cast<long double>();
    made.error_ = static_cast<double>(error) * (1 + 0x1p-50);
    made.least_ = static_cast<double>(least) * (1 - 0x1p-50);
    return made;
  }
  return std::nullopt;
}

std::optional<VerifiedGram> VerifiedGram::of(const DataMatrix& A, const Vector& weights) {
  const double rows = static_cast<double>(A.rows()), order = static_cast<double>(A.cols());
  if (order > most_columns) return std::nullopt;
  if (rows * order * order > most_extended_products) return from<double>(gram_of_columns(A, weights), A.rows());
  const Extended x = A.dense().cast<long double>();
  return from<long double>(x.transpose() * (weights.cast<long double>().asDiagonal() * x), A.rows());
}

double VerifiedGram::norm_of(const Vector& center, const Vector& radius) const {
  using Column = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Column z = center.cast<long double>(), v = inverse_ * z, image = gram_ * v;
  const long double unit = std::numeric_limits<long double>::epsilon(), k = static_cast<long double>(gram_.rows());
  // With r = z - G v the square is 2 z'v - v'G v + r'G^-1 r, for any v.
  const long double rounding = 2 * (k + 2) * unit * (z.norm() + gram_.norm() * v.norm());
  const long double left = (z - image).norm() + rounding + error_ * v.norm();
  const long double square =
      2 * z.dot(v) - v.dot(image) + error_ * v.squaredNorm() + 2 * rounding * v.norm() + left * left / least_;
  return static_cast<double>(std::sqrt(std::max(square, 0.0L)) + radius.norm() / std::sqrt(least_)) * (1 + 1e-12);
}

}  // namespace lagnet
