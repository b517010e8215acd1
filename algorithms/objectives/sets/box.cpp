#include "algorithms/objectives/sets/box.hpp"

#include <cmath>

#include "algorithms/objectives/sets/radius.hpp"

namespace lagnet {
namespace {

class Box final : public Constraint {
 public:
  explicit Box(double bound) : bound_(bound) {}
  double excess(VectorRef theta) const override {
    return (theta.size() > 0 ? theta.lpNorm<Eigen::Infinity>() : 0.0) - bound_;
  }
  Vector project(VectorRef u) const override {
    if (!u.allFinite()) return u;
    return u.cwiseMax(-bound_).cwiseMin(bound_);
  }
  Flops flops(Index d) const override { return 2 * d; }  // two comparisons each
  std::optional<double> support(VectorRef q) const override { return bound_ * q.lpNorm<1>(); }

 private:
  double bound_;
};

}  // namespace

double BoxOptions::bound_for(IterateShape shape) const {
  if (omega) return *omega / std::sqrt(static_cast<double>(shape.size()));
  return bound.value_or(-1);
}

std::shared_ptr<const Constraint> make_constraint(const BoxOptions& options, IterateShape shape) {
  return std::make_shared<Box>(checked_radius("box.bound", options.bound_for(shape)));
}

}  // namespace lagnet
