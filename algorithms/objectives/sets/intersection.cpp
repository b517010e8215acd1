#include "algorithms/objectives/sets/intersection.hpp"

#include <algorithm>
#include <utility>

namespace lagnet {

Intersection::Intersection(std::shared_ptr<const Constraint> first, std::shared_ptr<const Constraint> second)
    : first_(std::move(first)), second_(std::move(second)) {}

double Intersection::excess(VectorRef theta) const { return std::max(first_->excess(theta), second_->excess(theta)); }

Vector Intersection::project(VectorRef u) const {
  if (!u.allFinite() || excess(u) <= 0) return u;
  return dykstra(u).x;
}

Intersection::Parts Intersection::dykstra(VectorRef u) const {
  constexpr int passes = 20000;
  constexpr double agreement = 1e-13;
  Parts at{u, Vector::Zero(u.size()), Vector::Zero(u.size())};
  for (int pass = 0; pass < passes; ++pass) {
    const Vector before = at.x;
    const Vector y = first_->project(at.x + at.p);  // in the first set        (d)
    at.p += at.x - y;
    at.x = second_->project(y + at.q);
    at.q += y - at.x;
    // The point can rest for many passes while the corrections grow; then those of the two sets still differ.
    const double moved = (at.x - before).lpNorm<Eigen::Infinity>(), apart = (at.x - y).lpNorm<Eigen::Infinity>();
    if (!(std::max(moved, apart) > agreement)) break;
  }
  return at;
}

Flops Intersection::flops(Index d) const { return first_->flops(d) + second_->flops(d) + 6 * d; }

std::optional<double> Intersection::reach(VectorRef w) const {
  const auto of_first = first_->reach(w), of_second = second_->reach(w);
  if (!of_first || !of_second) return of_first ? of_first : of_second;
  return std::min(*of_first, *of_second);
}

std::optional<double> Intersection::linear_gap(VectorRef theta, VectorRef g) const {
  const double norm = g.norm(), size = theta.norm();
  if (norm == 0) return 0;
  const double s = (size > 0 ? size : 1) / norm;
  const Parts at = dykstra(theta - s * g);
  // -g is a sum of any p/s and the rest, so the supports of both sets bound that of what they share.
  const Vector normal = at.p / s;
  const auto of_first = first_->support(normal), of_second = second_->support(-g - normal);
  if (!of_first || !of_second) return std::nullopt;
  return *of_first + *of_second + g.dot(theta);
}

}  // namespace lagnet
