#include "algorithms/central/duality_proof.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "algorithms/central/column_basis.hpp"
#include "algorithms/central/column_factors.hpp"
#include "algorithms/central/extended_sum.hpp"
#include "algorithms/central/verified_gram.hpp"
#include "algorithms/objectives/scaled_norm.hpp"
#include "algorithms/problem/sample_loss.hpp"

// tidy: long because one proof belongs together.
namespace lagnet {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity(), u = unit_roundoff;
constexpr double least_room = 1e-13;    // of lam to its bounds: less is rounding of an interior point method
constexpr double next_to_zero = 1e-13;  // slopes that count as 0, of losses with flat pieces
constexpr Index most_corrected = 2048;  // columns: a Cholesky factor takes a second

/// Numbers q with |q - center| <= radius (dim).
using Ball = BoundedVector;

/// What lam'' changes: |lam''_i - lam_i| <= root_weights_i nu, whose squares over the weights add up to nu^2 at most.
struct Correction {
  double nu;
  Vector root_weights;  // sqrt(w) (n)
};

class Proof {
 public:
  explicit Proof(const Claim& claim);
  double gap() const;

 private:
  bool is_smooth() const { return problem_.loss->smoothness().has_value(); }
  void settle_flat_pieces();
  double slope_error(Index i) const;
  double slope(Index i) const;
  double rounding_of_value() const;
  double sum_of_losses() const;  // first sum at lam, over samples
  double distance_to_kink(Index i) const;
  double change(const Correction& made) const;  // what `made` adds to the first sum, over samples

  Vector metric(double power) const;
  double room(Index i) const;  // how far lam''_i may be from lam_i
  std::optional<Correction> corrected(const std::vector<Index>& columns, Vector weights, const Vector& target,
                                      bool stays_in_domain) const;
  std::optional<Correction> corrected(const std::vector<Index>& columns, const Vector& target) const;

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
  Index n_, c_;
  SampleLoss sample_;
  BoundedVector scores_;
  Vector lam_, radius_;  // l'(a), or what stands for it, is within the radius of lam (n c)
  double settled_ = 0;   // what the samples add to the first sum whose lam is not l'(a)
  BoundedVector pull_;   // X'lam (dim)
};

Proof::Proof(const Claim& claim)
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
void Proof::settle_flat_pieces() {
  const Vector above = problem_.loss->derivative(scores_.value + 4 * scores_.error, problem_.y);
  const Vector below = problem_.loss->derivative(scores_.value - 4 * scores_.error, problem_.y);
  const Vector curvature = problem_.loss->curvature(scores_.value, problem_.y);
  for (Index i = 0; i < n_; ++i) {
    if (curvature[i] == 0 && above[i] == below[i]) radius_[i] = 0;
    if (std::abs(lam_[i]) > next_to_zero * sample_.weight(i)) continue;
    settled_ += sample_.conjugate(0, i) + sample_.value(scores_.value, i) +
                (std::abs(lam_[i]) + radius_[i]) * (scores_.error[i] + 4 * u * (std::abs(scores_.value[i]) + 1));
    lam_[i] = radius_[i] = 0;
  }
}

/// What rounding does to l'(a) at the exact score: a few operations on numbers of the size of a and the label, or, of
/// softmax, of the largest score.
double Proof::slope_error(Index i) const {
  const double L = problem_.loss->smoothness().value();
  const Index sample = i / c_;
  const double beside =
      c_ == 1 ? std::abs(problem_.y[sample]) : scores_.value.segment(sample * c_, c_).lpNorm<Eigen::Infinity>();
  return L * scores_.error[i] + 4 * u * (std::abs(lam_[i]) + L * (std::abs(scores_.value[i]) + beside));
}

/// At least |l'| where rounding may have the score.
double Proof::slope(Index i) const {
  if (is_smooth()) return std::abs(lam_[i]);
  const Loss::Slopes slopes = problem_.loss->slopes(problem_.y[i]).value();
  const double t = scores_.value[i] - problem_.y[i], error = distance_to_kink(i) - std::abs(t);
  return std::max(t > -error ? std::abs(slopes.above) : 0, t < error ? std::abs(slopes.below) : 0);
}

/// At least value - F(theta).
double Proof::rounding_of_value() const {
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
double Proof::distance_to_kink(Index i) const {
  return std::abs(scores_.value[i] - problem_.y[i]) + scores_.error[i] + u * std::abs(problem_.y[i]);
}

double Proof::sum_of_losses() const {
  if (is_smooth()) return (1 + 8 * u) * std::max(settled_, 0.0) / samples_;
  ExtendedSum sum;
  for (Index i = 0; i < n_; ++i) {
    const Loss::Slopes slopes = problem_.loss->slopes(problem_.y[i]).value();
    const double t = scores_.value[i] - problem_.y[i], error = distance_to_kink(i) - std::abs(t);
    sum.add((slopes.above - lam_[i]) * std::max(t + error, 0.0) + (lam_[i] - slopes.below) * std::max(error - t, 0.0));
  }
  return (1 + 8 * u) * sum.value() / samples_;
}

double Proof::change(const Correction& made) const {
  if (is_smooth()) return made.nu * made.nu / samples_;
  double squares = 0;
  for (Index i = 0; i < n_; ++i) squares += std::pow(made.root_weights[i] * distance_to_kink(i), 2);
  return 1.01 * made.nu * std::sqrt(squares) / samples_;
}

/// w: where l is curved its second derivative, of softmax at most that of any direction; else a power of the way to the
/// bounds of lam.
Vector Proof::metric(double power) const {
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

double Proof::room(Index i) const {
  if (c_ > 1) {
    Vector p = lam_.segment(i * c_, c_) / sample_.weight(i);
    p[static_cast<Index>(problem_.y[i])] += 1;
    return std::max(0.0, p.minCoeff() - 16 * u) * sample_.weight(i);
  }
  const auto slopes = problem_.loss->slopes(problem_.y[i]);
  return slopes ? std::max(0.0, std::min(slopes->above - lam_[i], lam_[i] - slopes->below)) : infinite;
}

std::optional<Correction> Proof::corrected(const std::vector<Index>& columns, const Vector& target) const {
  if (is_smooth()) return corrected(columns, metric(1), target, true);
  for (const double power : {2, 1, 0})
    if (const auto made = corrected(columns, metric(power), target, true)) return made;
  return std::nullopt;
}

std::optional<Correction> Proof::corrected(const std::vector<Index>& columns, Vector w, const Vector& target,
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

double Proof::gap_without_regularizer() const {
  if (!problem_.loss->has_conjugate()) return infinite;
  // Where lam is 0 in all samples that have a column, it stays so, and the column adds up to 0.
  std::vector<Index> used, all;
  for (Index j = 0; j < problem_.X->cols(); ++j) {
    if (!problem_.X->columns(j, 1).is_zero()) all.push_back(j);
    if (pull_.value.segment(j * c_, c_).any() || pull_.error.segment(j * c_, c_).any()) used.push_back(j);
  }
  if (used.empty()) return sum_of_losses();
  if (std::ssize(all) > most_corrected) return infinite;
  const Vector target = Vector::Zero(problem_.dim());
  auto made = corrected(used, target);
  // Columns that depend on others add up to 0 with them.
  if (!made) made = corrected(independent(used), target);
  if (made) return sum_of_losses() + change(*made);
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
  const double rms = lam_.norm() / std::sqrt(static_cast<double>(n_));
  const double s = sample_.one().lipschitz() ? *sample_.one().lipschitz() / 2 : rms;
  if (!(s > 0)) return infinite;
  double reached = 0;
  for (Index i = 0; i < n_; ++i)
    reached +=
        std::max({sample_.conjugate(s * sample_.weight(i), i), sample_.conjugate(-s * sample_.weight(i), i), 0.0}) /
        sample_.weight(i);
  if (!std::isfinite(reached)) return infinite;
  double least_weight = 1;
  for (Index i = 0; i < n_; ++i) least_weight = std::min(least_weight, sample_.weight(i));
  const double scores = 1.01 * (samples_ * value_ / least_weight + reached) / s + scores_.value.norm();
  const auto made = corrected(columns, Vector::Ones(n_), target, false);
  return made ? sum_of_losses() + 1.01 * made->nu * scores / samples_ : infinite;
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
  Ball q{pull_.value / -samples_, pull_.error / samples_};
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
  const Ball q{pull_.value / -samples_, (pull_.error + u * pull_.value.cwiseAbs()) / samples_};
  Vector each(theta_.size());
  const double plain = elastic_costs(a, b, q, &each) + sum_of_losses();
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
  auto made = corrected(columns, target);
  if (!made) {
    const auto found = column_basis(scaled_columns(chosen, factors));
    if (!found || found->others.empty()) return plain;
    basis = *found;
    std::vector<Index> independent;
    for (const Index k : basis.independent) independent.push_back(columns[static_cast<std::size_t>(k)]);
    made = corrected(independent, target);
  }
  if (!made) return plain;
  const Ball moved = corrected_q(columns, basis, factors, *made, target);
  return std::min(plain, sum_of_losses() + change(*made) + elastic_costs(a, b, moved, nullptr));
}

/// lam'' = s lam, with s <= 1 such that q'' is in the ball of the dual norm. With lam rounded as it is, since l is
/// evaluated at both.
double Proof::gap_of_norm(const ScaledNorm& norm) const {
  const Vector q = pull_.value / -samples_, error = pull_.error / samples_;
  const double a = norm.weight(), reached = norm.dual_norm(q) * (1 + 1e-13) + 1.01 * error.norm();
  const double s = reached > a ? a / reached * (1 - 4 * u) : 1;
  const double r = norm.value(theta_);
  double of_r = std::max(r - s * theta_.dot(q), 0.0) + 1e-13 * r + theta_.cwiseAbs().dot(error) * 1.01;
  of_r += static_cast<double>(theta_.size()) * u * theta_.cwiseAbs().dot(q.cwiseAbs());
  // l(a) + l*(s l'(a)) - a s l'(a) is convex in s, 0 at 1, and l(a) - inf l at 0.
  if (s == 1) return of_r;
  const double total = problem_.loss->total(scores_.value, problem_.y);
  double of_losses = (1 - s) * total;
  if (problem_.loss->has_conjugate() && !problem_.loss->prefers_samples_at_once()) {
    const Vector shrunk = s * lam_;
    const double conjugate = problem_.loss->total_conjugate(shrunk, problem_.y);
    const double size = total + std::abs(conjugate) + scores_.value.cwiseAbs().dot(lam_.cwiseAbs());
    const double rounding = (static_cast<double>(lam_.size()) + 16) * u * (size + static_cast<double>(lam_.size()));
    of_losses = std::min(of_losses, std::max(total + conjugate - scores_.value.dot(shrunk), 0.0) + rounding);
  }
  return of_losses / samples_ + of_r;
}

double Proof::gap() const {
  if (!std::isfinite(value_) || !lam_.allFinite() || !pull_.value.allFinite()) return infinite;
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
  if (std::isfinite(gap)) least = std::min(least, gap + rounding_of_value());
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
