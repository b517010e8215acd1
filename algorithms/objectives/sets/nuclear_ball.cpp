#include "algorithms/objectives/sets/nuclear_ball.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/objectives/option_error.hpp"
#include "algorithms/objectives/sets/l1_ball.hpp"
#include "algorithms/objectives/sets/radius.hpp"
#include "algorithms/objectives/singular_values.hpp"

namespace lagnet {
namespace {

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

IterateShape matrix_shape(IterateShape shape, std::optional<std::int64_t> rows) {
  const Index size = shape.size();
  if (!rows && !shape.is_matrix)
    throw OptionError("rows", "rows of a matrix, since these data have a vector of coefficients", "none");
  if (!rows) return shape;
  if (size % *rows != 0)
    throw OptionError("rows", fmt::format("a divisor of {}, the number of coefficients", size),
                      fmt::format("{}", *rows));
  return IterateShape::matrix(*rows, size / *rows);
}

std::shared_ptr<const Constraint> make_constraint(const NuclearBallOptions& options, IterateShape shape) {
  return std::make_shared<NuclearBall>(checked_radius("nuclear_ball.radius", options.radius),
                                       matrix_shape(shape, options.rows));
}

}  // namespace lagnet
