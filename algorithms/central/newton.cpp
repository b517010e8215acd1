#include "algorithms/central/newton.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/central/column_factors.hpp"
#include "algorithms/central/hessian.hpp"

namespace lagnet {

namespace {

/// The face's objective along phi + t p for t in [0, 1], through its derivative in t, which never decreases.
class FaceLine {
 public:
  /// scores = A phi, change = A p. All arguments must outlive the line.
  FaceLine(const FaceProblem& face, const Vector& phi, const Vector& p, const Vector& scores, const Vector& change);

  /// The derivative at t; at a kink the one to its left or right.
  double slope(double t, bool to_the_right) const;
  /// The t in (0, 1] where the derivative changes sign, 1 if it does not; exactly a kink's t where the minimum is at a
  /// kink.
  double minimizer() const;
  /// Sets the coordinates of moved = phi + t p to 0 whose kink is at t.
  void settle(double t, Vector& moved) const;
  bool has_kinks() const { return !kinks_.empty(); }

 private:
  double smooth_minimizer(double low, double high) const;

  const FaceProblem& face_;
  const Vector& phi_;
  const Vector& p_;
  const Vector& scores_;
  const Vector& change_;
  Vector kink_of_;             // t at which a coordinate is 0, infinity if never in (0, 1] (k)
  std::vector<double> kinks_;  // those in (0, 1], ascending
};

constexpr double least_shift = 1e-14, first_shift = 1e-10,
                 largest_shift = 1e-2;  // relative to the largest diagonal entry of the Hessian

Vector gradient(const FaceProblem& face, const Vector& phi, const Vector& scores) {
  Vector g = face.A.transpose_times(face.loss.derivative(scores, face.y)) / face.samples + face.l2 * phi;
  if (face.l1 > 0) g += face.l1 * phi.cwiseSign();
  return g;
}

/// Whether the objective falls forever along phi + t p: its derivative far out is not above 0, to 1e-7 of the largest
/// score's change. For the logistic loss p then separates the labels; the other losses reach their infimum.
bool falls_for_ever(const FaceProblem& face, const Vector& scores, const Vector& change) {
  if (face.l1 > 0 || face.l2 > 0 || face.loss.attains_infimum()) return false;
  const double size = change.lpNorm<Eigen::Infinity>();
  if (size == 0) return false;
  const Vector far = scores + (1e8 / size) * change;
  return change.dot(face.loss.derivative(far, face.y)) <= 1e-7 * size;
}

double objective(const FaceProblem& face, const Vector& phi) {
  return face.loss.total(face.A.times(phi), face.y) / face.samples + face.l1 * phi.lpNorm<1>() +
         face.l2 / 2 * phi.squaredNorm();
}

/// Lets many coordinates become 0 at once, where the exact line search stops at one: of moved and the points phi + t p
/// with t = 1, 1/2, ..., 1/32 whose coordinates that changed sign are set to 0, the one with the least objective.
Vector best_of_orthant(const FaceProblem& face, const Vector& phi, const Vector& p, Vector moved) {
  double least = objective(face, moved);
  for (double t = 1; t >= 0x1p-5; t /= 2) {
    Vector candidate = phi + t * p;
    for (Index j = 0; j < phi.size(); ++j) {
      if ((candidate[j] > 0) != (phi[j] > 0)) candidate[j] = 0;
    }
    const double value = objective(face, candidate);
    if (value >= least) continue;
    least = value;
    moved = std::move(candidate);
  }
  return moved;
}

}  // namespace

FaceResult minimize_on_face(const FaceProblem& face, Vector phi, int most_steps) {
  const Vector slopes_at_zero = face.loss.derivative(Vector::Zero(face.y.size()), face.y);
  Hessian hessian(face);
  const double scale = scaled_size(face.A, hessian.factors()) * slopes_at_zero.norm() / face.samples;
  FaceResult best{phi};
  Vector scores = face.A.times(phi);
  double shift = first_shift, least = std::numeric_limits<double>::infinity(), before = least;
  int idle = 0;
  for (int step = 0; step < most_steps; ++step) {
    const Vector g = gradient(face, phi, scores);
    const double size = g.cwiseProduct(hessian.factors()).norm();
    idle = size < 0.5 * least ? 0 : idle + 1;
    if (size < least) least = size, best.phi = phi;
    // Below 1e-11 of the scale rounding decides, and steps that no longer help mean that it has all been had.
    if (size <= 1e-16 * scale || (idle >= 5 && least <= 1e-11 * scale) || hessian.exhausted()) break;
    if (size > 0.1 * before) shift = std::max(shift / 100, least_shift);
    before = size;

    hessian.set(face.loss.curvature(scores, face.y));
    const Vector p = hessian.solve(-g, shift);
    const Vector change = face.A.times(p);
    if (falls_for_ever(face, scores, change)) {
      best.no_minimizer = true;
      break;
    }
    const FaceLine line(face, phi, p, scores, change);
    const double t = line.minimizer();
    // A direction much too long comes from flat pieces of the loss: a larger shift keeps the next one shorter.
    if (t < 1e-2) shift = std::min(shift * 1e4, largest_shift), before = std::numeric_limits<double>::infinity();
    Vector moved = phi + t * p;
    line.settle(t, moved);
    if (line.has_kinks()) moved = best_of_orthant(face, phi, p, std::move(moved));
    phi = std::move(moved);
    best.met_zero = face.l1 > 0 && (phi.array() == 0).any();
    if (best.met_zero) {
      best.phi = phi;
      break;
    }
    scores = face.A.times(phi);
  }
  return best;
}

FaceLine::FaceLine(const FaceProblem& face, const Vector& phi, const Vector& p, const Vector& scores,
                   const Vector& change)
    : face_(face), phi_(phi), p_(p), scores_(scores), change_(change) {
  kink_of_ = Vector::Constant(phi.size(), std::numeric_limits<double>::infinity());
  if (face.l1 == 0) return;
  for (Index j = 0; j < phi.size(); ++j) {
    const double t = -phi[j] / p[j];
    if (!(t > 0 && t <= 1)) continue;
    kink_of_[j] = t;
    kinks_.push_back(t);
  }
  std::sort(kinks_.begin(), kinks_.end());
}

double FaceLine::slope(double t, bool to_the_right) const {
  double result = change_.dot(face_.loss.derivative(scores_ + t * change_, face_.y)) / face_.samples;
  if (face_.l2 > 0) result += face_.l2 * p_.dot(phi_ + t * p_);
  if (face_.l1 == 0) return result;
  double signed_sum = 0;
  for (Index j = 0; j < p_.size(); ++j) {
    const bool crossed = t > kink_of_[j] || (t == kink_of_[j] && to_the_right);
    signed_sum += (phi_[j] > 0) != crossed ? p_[j] : -p_[j];
  }
  return result + face_.l1 * signed_sum;
}

double FaceLine::smooth_minimizer(double low, double high) const {
  const double at_low = slope(low, true), at_high = slope(high, false);
  if (!(at_low < 0)) return low > 0 ? low : high;  // only rounding brings this
  if (!(at_high > 0)) return high;
  std::uintmax_t evaluations = 100;
  const auto bracket =
      boost::math::tools::toms748_solve([this](double t) { return slope(t, false); }, low, high, at_low, at_high,
                                        boost::math::tools::eps_tolerance<double>(30), evaluations);
  return bracket.first > 0 ? bracket.first : bracket.second;
}

double FaceLine::minimizer() const {
  const auto kink = std::partition_point(kinks_.begin(), kinks_.end(), [this](double t) { return slope(t, true) < 0; });
  const double low = kink == kinks_.begin() ? 0 : *(kink - 1);
  if (kink == kinks_.end()) return slope(1, false) <= 0 ? 1 : smooth_minimizer(low, 1);
  return slope(*kink, false) < 0 ? *kink : smooth_minimizer(low, *kink);
}

void FaceLine::settle(double t, Vector& moved) const {
  for (Index j = 0; j < moved.size(); ++j) {
    if (kink_of_[j] == t) moved[j] = 0;
  }
}

}  // namespace lagnet
