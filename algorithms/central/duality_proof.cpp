#include "algorithms/central/duality_proof.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/central/column_factors.hpp"
#include "algorithms/central/extended_sum.hpp"
#include "algorithms/central/primal_dual_point.hpp"
#include "algorithms/objectives/scaled_norm.hpp"
#include "algorithms/problem/weighted_loss.hpp"
#include "sim/numerics/decompositions.hpp"

namespace lagnet {

namespace {

/// Independent columns of A, and each of the others as what it is exactly: a combination of them.
struct ColumnBasis {
  struct Combination {
    Index column;
    /// Column and coefficient. The coefficients are exact, but for that of a single term, which may round.
    std::vector<std::pair<Index, double>> terms;
  };
  std::vector<Index> independent;
  std::vector<Combination> others;
};

constexpr double most_entries = 4e6;  // a second or two
constexpr double no_term = 1e-9;      // coefficients below are rounding

/// To ten bits.
double rounded(double coefficient) {
  const double unit = std::ldexp(1.0, std::ilogb(coefficient) - 9);
  return std::round(coefficient / unit) * unit;
}

/// Whether the column is the sum of the terms in exact arithmetic. Products of a double with ten bits are exact in
/// extended precision, and a sum is if nothing is lost by any addition.
bool is_exact(const Matrix& A, const ColumnBasis::Combination& made) {
  for (Index i = 0; i < A.rows(); ++i) {
    long double sum = -A(i, made.column);
    for (const auto& [k, coefficient] : made.terms) {
      const long double term = static_cast<long double>(A(i, k)) * coefficient, next = sum + term, part = next - sum;
      if ((sum - (next - part)) + (term - part) != 0) return false;
      sum = next;
    }
    if (sum != 0) return false;
  }
  return std::numeric_limits<long double>::digits >= 63;
}

/// Whether a b = c d exactly.
bool same_product(double a, double b, double c, double d) {
  const double left = a * b, right = c * d;
  return left == right && std::fma(a, b, -left) == std::fma(c, d, -right);
}

/// Whether columns j and k are multiples of each other.
bool are_parallel(const Matrix& A, Index j, Index k) {
  Index largest = 0;
  A.col(k).cwiseAbs().maxCoeff(&largest);
  for (Index i = 0; i < A.rows(); ++i)
    if (!same_product(A(i, j), A(largest, k), A(i, k), A(largest, j))) return false;
  return true;
}

/// The column as a combination of those that are independent, with about these coefficients; nullopt if there is none.
std::optional<ColumnBasis::Combination> combination(const Matrix& A, Index column,
                                                    const std::vector<Index>& independent, const Vector& coefficients) {
  ColumnBasis::Combination made{column, {}};
  for (Index k = 0; k < coefficients.size(); ++k)
    if (std::abs(coefficients[k]) > no_term)
      made.terms.emplace_back(independent[static_cast<std::size_t>(k)], rounded(coefficients[k]));
  if (is_exact(A, made)) return made;
  if (made.terms.size() != 1 || !are_parallel(A, column, made.terms.front().first)) return std::nullopt;
  Index largest = 0;
  const Index base = made.terms.front().first;
  A.col(base).cwiseAbs().maxCoeff(&largest);
  made.terms.front().second = A(largest, column) / A(largest, base);
  return made;
}

/// By Householder reflections with pivoting on A, whose columns should be of similar size. A column that seems
/// dependent counts as such only where this holds in exact arithmetic, with coefficients of ten bits or as a multiple
/// of another column: copies, constant columns, indicators that add up to a constant. Nothing where that cannot be
/// shown, or where A has more than 4e6 entries.
std::optional<ColumnBasis> column_basis(const DataMatrix& given) {
  if (static_cast<double>(given.rows()) * static_cast<double>(given.cols()) > most_entries) return std::nullopt;
  const Matrix A = given.dense();
  const auto [rank, order, R] = pivoted_qr(A, 1e-12);
  const Index left = A.cols() - rank;
  ColumnBasis basis;
  basis.independent.assign(order.begin(), order.begin() + rank);
  const Matrix coefficients = R.leftCols(rank).triangularView<Eigen::Upper>().solve(R.rightCols(left));
  for (Index k = 0; k < left; ++k) {
    const auto made = combination(A, order[static_cast<std::size_t>(rank + k)], basis.independent, coefficients.col(k));
    if (!made) return std::nullopt;
    basis.others.push_back(*made);
  }
  return basis;
}

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Index most_corrected = 2048;  // columns: a Cholesky factor takes a second

/// Numbers q with |q - center| <= radius (dim).
using Ball = BoundedVector;

/// The bound that the claimed point and its dual point prove, by kind of regularizer.
class Proof {
 public:
  explicit Proof(const Claim& claim)
      : problem_(claim.problem),
        theta_(claim.theta),
        value_(claim.value),
        samples_(static_cast<double>(problem_.samples)),
        c_(problem_.loss->outputs()),
        point_(claim) {}
  double gap() const;

 private:
  static constexpr double u = unit_roundoff;

  double gap_without_regularizer() const;
  std::vector<Index> independent(const std::vector<Index>& columns) const;
  double gap_in_level_set(const std::vector<Index>& columns, const Vector& target) const;
  double gap_of_elastic(double a, double b) const;
  double elastic_costs(double a, double b, const Ball& q, Vector* each) const;
  Ball corrected_q(const std::vector<Index>& columns, const ColumnBasis& basis, const Vector& factors,
                   const Correction& made, const Vector& target) const;
  double gap_of_norm(const ScaledNorm& norm) const;

  const Problem& problem_;
  const Vector& theta_;
  double value_, samples_;
  Index c_;
  PrimalDualPoint point_;
};

double Proof::gap_without_regularizer() const {
  if (!problem_.loss->has_conjugate()) return infinite;
  // Where lam is 0 in all samples that have a column, it stays so, and the column adds up to 0.
  const BoundedVector& pull = point_.pull();
  std::vector<Index> used, all;
  for (Index j = 0; j < problem_.X->cols(); ++j) {
    if (!problem_.X->columns(j, 1).is_zero()) all.push_back(j);
    if (pull.value.segment(j * c_, c_).any() || pull.error.segment(j * c_, c_).any()) used.push_back(j);
  }
  if (used.empty()) return point_.sum_of_losses();
  if (std::ssize(all) > most_corrected) return infinite;
  const Vector target = Vector::Zero(problem_.dim());
  auto made = point_.corrected(used, target);
  // Columns that depend on others add up to 0 with them.
  if (!made) made = point_.corrected(independent(used), target);
  if (made) return point_.sum_of_losses() + point_.change(*made);
  return gap_in_level_set(independent(all), target);
}

/// Of these columns those that the others are combinations of, and all where that cannot be shown.
std::vector<Index> Proof::independent(const std::vector<Index>& columns) const {
  const DataMatrix chosen = problem_.X->columns(columns);
  const auto basis = column_basis(scaled_columns(chosen, entry_factors(chosen)));
  if (!basis) return columns;
  std::vector<Index> found;
  for (const Index k : basis->independent) found.push_back(columns[static_cast<std::size_t>(k)]);
  return found;
}

/// Without lam'': |q'(theta* - theta)| <= |q|_(G^-1) |X (theta* - theta)| with W = I, for a minimizer theta* that has
/// zeros beside the columns. Its scores are bounded where the loss grows on both sides: s |a| <= l(a) + l*(+-s).
double Proof::gap_in_level_set(const std::vector<Index>& columns, const Vector& target) const {
  if (c_ > 1) return infinite;
  const Index n = problem_.X->rows();
  const SampleLoss sample(problem_);
  const double rms = point_.lam().norm() / std::sqrt(static_cast<double>(n));
  const double s = sample.one().lipschitz() ? *sample.one().lipschitz() / 2 : rms;
  if (!(s > 0)) return infinite;
  double reached = 0;
  for (Index i = 0; i < n; ++i)
    reached += std::max({sample.conjugate(s * sample.weight(i), i), sample.conjugate(-s * sample.weight(i), i), 0.0}) /
               sample.weight(i);
  if (!std::isfinite(reached)) return infinite;
  double least_weight = 1;
  for (Index i = 0; i < n; ++i) least_weight = std::min(least_weight, sample.weight(i));
  const double scores = 1.01 * (samples_ * value_ / least_weight + reached) / s + point_.scores().value.norm();
  const auto made = point_.corrected(columns, Vector::Ones(n), target, false);
  return made ? point_.sum_of_losses() + 1.01 * made->nu * scores / samples_ : infinite;
}

/// r(theta) + r*(q) - theta'q of a |.|_1 + (b/2) |.|^2, at most, over the ball of q. With b = 0 the q beyond a are
/// charged what a minimizer can make of them, whose l1 norm is at most F(theta) / a.
double Proof::elastic_costs(double a, double b, const Ball& q, Vector* each) const {
  double beyond = 0;
  ExtendedSum sum;
  const auto at = [&](double theta, double q_j) {
    const double inside = std::clamp(q_j, -a, a), rest = q_j - inside;
    double cost = std::abs(theta) * std::max(a - std::copysign(1.0, theta) * inside, 0.0);
    if (b > 0) {
      const double off = std::abs(b * theta - rest) + 4 * u * (b * std::abs(theta) + std::abs(rest));
      cost += off * off / (2 * b);
    }
    return cost;
  };
  for (Index j = 0; j < theta_.size(); ++j) {
    const double low = q.value[j] - q.error[j], high = q.value[j] + q.error[j];
    const double cost = (1 + 8 * u) * std::max(at(theta_[j], low), at(theta_[j], high));
    const double excess = b > 0 ? 0 : std::max({high - a, -low - a, 0.0});
    beyond = std::max(beyond, excess);
    if (each) (*each)[j] = cost + excess * std::abs(value_) / a;
    sum.add(cost);
  }
  return sum.value() + sum.error() + (beyond > 0 ? (1 + 1e-9) * value_ / a * beyond : 0);
}

/// q'': t in the columns that are corrected, what follows in those that depend on them, and as near to q as the others
/// stay. `basis` and `factors` are of the scaled columns listed.
Ball Proof::corrected_q(const std::vector<Index>& columns, const ColumnBasis& basis, const Vector& factors,
                        const Correction& made, const Vector& target) const {
  const BoundedVector& pull = point_.pull();
  Ball q{pull.value / -samples_, pull.error / samples_};
  for (Index j = 0; j < q.value.size(); ++j) {
    double squares = 0;
    const DataMatrix one = problem_.X->columns(j, 1);
    const double factor = power_of_two_for(one.dense().cwiseAbs().maxCoeff());
    squares = (one.dense() * factor).col(0).cwiseProduct(made.root_weights).squaredNorm();
    q.error[j] += 1.01 * std::sqrt(squares) / factor * made.nu / samples_ + 2 * u * std::abs(q.value[j]);
  }
  const auto exactly = [&](Index k, double value, double error) {
    const Index j = columns[static_cast<std::size_t>(k)];
    q.value[j] = value;
    q.error[j] = error;
  };
  for (const Index k : basis.independent) exactly(k, target[columns[static_cast<std::size_t>(k)]], 0);
  for (const ColumnBasis::Combination& one : basis.others) {
    double sum = 0, size = 0;
    for (const auto& [k, coefficient] : one.terms) {
      const double term = coefficient * factors[k] * target[columns[static_cast<std::size_t>(k)]];
      sum += term;
      size += std::abs(term);
    }
    const double rounding = (static_cast<double>(one.terms.size()) + 4) * u * size;
    exactly(one.column, sum / factors[one.column], rounding / factors[one.column]);
  }
  return q;
}

double Proof::gap_of_elastic(double a, double b) const {
  const BoundedVector& pull = point_.pull();
  const Ball q{pull.value / -samples_, (pull.error + u * pull.value.cwiseAbs()) / samples_};
  Vector each(theta_.size());
  const double plain = elastic_costs(a, b, q, &each) + point_.sum_of_losses();
  if (c_ > 1 || !problem_.loss->has_conjugate()) return plain;
  // Where a column costs more than its share of rounding, its q is corrected.
  const double share = u * std::abs(value_) / static_cast<double>(theta_.size());
  std::vector<Index> columns;
  Vector target = Vector::Zero(theta_.size());
  for (Index j = 0; j < theta_.size(); ++j) {
    if (!(each[j] > share)) continue;
    columns.push_back(j);
    target[j] = theta_[j] != 0 ? b * theta_[j] + std::copysign(a, theta_[j]) : std::clamp(q.value[j], -a, a);
  }
  if (columns.empty() || std::ssize(columns) > most_corrected) return plain;
  const DataMatrix chosen = problem_.X->columns(columns);
  const Vector factors = entry_factors(chosen);
  ColumnBasis basis;
  for (Index k = 0; k < chosen.cols(); ++k) basis.independent.push_back(k);
  auto made = point_.corrected(columns, target);
  if (!made) {
    const auto found = column_basis(scaled_columns(chosen, factors));
    if (!found || found->others.empty()) return plain;
    basis = *found;
    std::vector<Index> independent;
    for (const Index k : basis.independent) independent.push_back(columns[static_cast<std::size_t>(k)]);
    made = point_.corrected(independent, target);
  }
  if (!made) return plain;
  const Ball moved = corrected_q(columns, basis, factors, *made, target);
  return std::min(plain, point_.sum_of_losses() + point_.change(*made) + elastic_costs(a, b, moved, nullptr));
}

/// lam'' = s lam, with s <= 1 such that q'' is in the ball of the dual norm. With lam rounded as it is, since l is
/// evaluated at both.
double Proof::gap_of_norm(const ScaledNorm& norm) const {
  const Vector q = point_.pull().value / -samples_, error = point_.pull().error / samples_;
  const double a = norm.weight(), reached = norm.dual_norm(q) * (1 + 1e-13) + 1.01 * error.norm();
  const double s = reached > a ? a / reached * (1 - 4 * u) : 1;
  const double r = norm.value(theta_);
  double of_r = std::max(r - s * theta_.dot(q), 0.0) + 1e-13 * r + theta_.cwiseAbs().dot(error) * 1.01;
  of_r += static_cast<double>(theta_.size()) * u * theta_.cwiseAbs().dot(q.cwiseAbs());
  // l(a) + l*(s l'(a)) - a s l'(a) is convex in s, 0 at 1, and l(a) - inf l at 0.
  if (s == 1) return of_r;
  const Vector &scores = point_.scores().value, &lam = point_.lam();
  const double total = problem_.loss->total(scores, problem_.y);
  double of_losses = (1 - s) * total;
  if (problem_.loss->has_conjugate() && !problem_.loss->prefers_samples_at_once()) {
    const Vector shrunk = s * lam;
    const double conjugate = problem_.loss->total_conjugate(shrunk, problem_.y);
    const double size = total + std::abs(conjugate) + scores.cwiseAbs().dot(lam.cwiseAbs());
    const double rounding = (static_cast<double>(lam.size()) + 16) * u * (size + static_cast<double>(lam.size()));
    of_losses = std::min(of_losses, std::max(total + conjugate - scores.dot(shrunk), 0.0) + rounding);
  }
  return of_losses / samples_ + of_r;
}

double Proof::gap() const {
  if (!std::isfinite(value_) || !point_.lam().allFinite() || !point_.pull().value.allFinite()) return infinite;
  double least = value_;  // since no loss and no regularizer is negative
  const ScaledNorm* const norm = problem_.regularizer->as_norm();
  const auto a = problem_.regularizer->l1_weight(), b = problem_.regularizer->l2_weight();
  double gap = infinite;
  if ((norm && norm->weight() == 0) || (a == 0.0 && b == 0.0))
    gap = gap_without_regularizer();
  else if (a && b)
    gap = gap_of_elastic(*a, *b);
  else if (norm)
    gap = gap_of_norm(*norm);
  if (std::isfinite(gap)) least = std::min(least, gap + point_.rounding_of_value());
  return least;
}

}  // namespace

double proven_gap(const Claim& claim) {
  const double gap = Proof(claim).gap();
  if (claim.problem.loss->smoothness() || gap < claim.value) return gap;
  // Only a lam between its bounds has room to be moved: this costs as much of F. What an interior point method leaves
  // of a 0 would have to be moved, too.
  const Vector shrunk = (claim.lam.array().abs() > 1e-9).select((1 - 1e-12) * claim.lam, 0.0);
  return Proof({claim.problem, claim.theta, claim.value, shrunk}).gap();
}

}  // namespace lagnet
