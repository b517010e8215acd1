#include "algorithms/objectives/sets/sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "algorithms/objectives/sets/intersection.hpp"
#include "algorithms/objectives/singular_values.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

namespace {

/// The radius of a ball, or the bound of a box. Throws std::invalid_argument unless it is finite and at least 0.
double checked_radius(std::string_view of, double radius) {
  if (!(std::isfinite(radius) && radius >= 0))
    throw std::invalid_argument(fmt::format("{}: expected a finite number at least 0, found {}", of, radius));
  return radius;
}

class L1Ball final : public Constraint {
 public:
  explicit L1Ball(double R) : R_(R) {}
  double excess(VectorRef theta) const override { return theta.lpNorm<1>() - R_; }
  Vector project(VectorRef u) const override { return project_on_l1_ball(u, R_); }
  Flops flops(Index d) const override {
    return d < 1 ? 0 : static_cast<Flops>(std::ceil(static_cast<double>(d) * std::log2(static_cast<double>(d))));
  }
  std::optional<double> support(VectorRef q) const override { return R_ * q.lpNorm<Eigen::Infinity>(); }

 private:
  double R_;
};

class L2Ball final : public Constraint {
 public:
  explicit L2Ball(double R) : R_(R) {}
  double excess(VectorRef theta) const override { return theta.stableNorm() - R_; }
  Vector project(VectorRef u) const override {
    if (!u.allFinite()) return u;
    const double norm = u.stableNorm();
    if (norm <= R_) return u;
    return R_ / norm * u;
  }
  Flops flops(Index d) const override { return 3 * d; }
  std::optional<double> support(VectorRef q) const override { return R_ * q.stableNorm(); }

 private:
  double R_;
};

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

class NuclearBall final : public Constraint {
 public:
  NuclearBall(double R, IterateShape shape) : R_(R), shape_(shape) {}

  double excess(VectorRef theta) const override { return values_of(theta).sum() - R_; }

  Vector project(VectorRef u) const override {
    if (!u.allFinite()) return u;
    const SingularValues svd = singular_values(u, shape_);
    if (svd.s.sum() <= R_) return u;
    return svd.recomposed(project_on_l1_ball(svd.s, R_));
  }

  Flops flops(Index /*d*/) const override {
    return 20 * shape_.rows * shape_.cols * std::min(shape_.rows, shape_.cols);
  }
  std::optional<double> support(VectorRef q) const override { return R_ * values_of(q)[0]; }

 private:
  Vector values_of(VectorRef theta) const {
    if (!theta.allFinite()) return Vector::Constant(1, theta.squaredNorm());
    return singular_values_alone(theta, shape_);
  }

  double R_;
  IterateShape shape_;
};

}  // namespace

Vector project_on_l1_ball(VectorRef u, double R) {
  if (!u.allFinite() || u.lpNorm<1>() <= R) return u;
  std::vector<double> s(static_cast<std::size_t>(u.size()));  // |u|, largest first      (d)
  std::transform(u.begin(), u.end(), s.begin(), [](double entry) { return std::abs(entry); });
  std::sort(s.begin(), s.end(), std::greater<>());
  double sum = 0, threshold = s.front();  // all entries vanish where not even the largest is above its threshold
  for (std::size_t k = 0; k < s.size(); ++k) {
    sum += s[k];
    const double candidate = (sum - R) / static_cast<double>(k + 1);
    if (s[k] - candidate > 0) threshold = candidate;
  }
  return u.unaryExpr([threshold](double entry) {
    return std::abs(entry) > threshold ? std::copysign(std::abs(entry) - threshold, entry) : 0.0;
  });
}

std::shared_ptr<const Constraint> make_constraint(const L1BallOptions& options, IterateShape /*shape*/) {
  return std::make_shared<L1Ball>(checked_radius("l1_ball.radius", options.radius.value_or(-1)));
}

std::shared_ptr<const Constraint> make_constraint(const L2BallOptions& options, IterateShape /*shape*/) {
  return std::make_shared<L2Ball>(checked_radius("l2_ball.radius", options.radius));
}

double BoxOptions::bound_for(IterateShape shape) const {
  if (omega) return *omega / std::sqrt(static_cast<double>(shape.size()));
  return bound.value_or(-1);
}

std::shared_ptr<const Constraint> make_constraint(const BoxOptions& options, IterateShape shape) {
  return std::make_shared<Box>(checked_radius("box.bound", options.bound_for(shape)));
}

IterateShape matrix_shape(IterateShape shape, std::optional<std::int64_t> rows) {
  const Index size = shape.size();
  if (!rows && !shape.is_matrix)
    throw Diagnosed("rows", "rows of a matrix, since these data have a vector of coefficients", "none");
  if (!rows) return shape;
  if (size % *rows != 0)
    throw Diagnosed("rows", fmt::format("a divisor of {}, the number of coefficients", size), fmt::format("{}", *rows));
  return IterateShape::matrix(*rows, size / *rows);
}

std::shared_ptr<const Constraint> make_constraint(const NuclearBallOptions& options, IterateShape shape) {
  return std::make_shared<NuclearBall>(checked_radius("nuclear_ball.radius", options.radius),
                                       matrix_shape(shape, options.rows));
}

std::shared_ptr<const Constraint> make_constraint(const NuclearBallAndBoxOptions& options, IterateShape shape) {
  return std::make_shared<Intersection>(
      make_constraint(NuclearBallOptions{.radius = options.radius, .rows = options.rows}, shape),
      make_constraint(BoxOptions{.bound = options.bound, .omega = options.omega}, shape));
}

}  // namespace lagnet
