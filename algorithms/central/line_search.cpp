#include "algorithms/central/line_search.hpp"

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lagnet {

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
