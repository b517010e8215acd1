#include "algorithms/objectives/sets/nuclear_ball.hpp"

#include <fmt/format.h>
#include <Eigen/SVD>

#include <algorithm>

#include "algorithms/objectives/option_error.hpp"
#include "algorithms/objectives/sets/l1_ball.hpp"
#include "algorithms/objectives/sets/radius.hpp"

namespace lagnet {
namespace {

class NuclearBall final : public Constraint {
 public:
  NuclearBall(double R, IterateShape shape) : R_(R), shape_(shape) {}

  double excess(VectorRef theta) const override { return singular_values(theta).sum() - R_; }

  Vector project(VectorRef u) const override {
    if (!u.allFinite()) return u;
    const Eigen::BDCSVD<Matrix> svd(as_matrix(u, shape_), Eigen::ComputeThinU | Eigen::ComputeThinV);
    if (svd.singularValues().sum() <= R_) return u;
    const Vector sigma = project_on_l1_ball(svd.singularValues(), R_);  // (min(rows, cols))
    // Stored by columns, the transposed matrix is the matrix row by row.
    const Matrix transposed = svd.matrixV() * sigma.asDiagonal() * svd.matrixU().transpose();
    return transposed.reshaped();
  }

  Flops flops(Index /*d*/) const override {
    return 20 * shape_.rows * shape_.cols * std::min(shape_.rows, shape_.cols);
  }
  std::optional<double> support(VectorRef q) const override { return R_ * singular_values(q)[0]; }

 private:
  Vector singular_values(VectorRef theta) const {
    if (!theta.allFinite()) return Vector::Constant(1, theta.squaredNorm());
    return Eigen::BDCSVD<Matrix>(as_matrix(theta, shape_)).singularValues();
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
