#include "algorithms/objectives/singular_values.hpp"

#include <algorithm>
#include <limits>

#include "sim/base/errors.hpp"

namespace lagnet {
namespace {

void check_shape(VectorRef theta, IterateShape shape) {
  LAGNET_CHECK(shape.is_matrix && theta.size() == shape.size(), "{} entries for a matrix of {} x {}", theta.size(),
               shape.rows, shape.cols);
}

}  // namespace

Index SingularValues::rank() const {
  if (s.size() == 0) return 0;
  const double side = static_cast<double>(std::max(U.rows(), V.rows()));
  return (s.array() > side * std::numeric_limits<double>::epsilon() * s[0]).count();
}

Vector SingularValues::recomposed(VectorRef values) const {
  Vector theta(U.rows() * V.rows());
  // Row by row the matrix is its transpose by columns.
  Eigen::Map<Matrix>(theta.data(), V.rows(), U.rows()).noalias() = V * values.asDiagonal() * U.transpose();
  return theta;
}

SingularValues singular_values(VectorRef theta, IterateShape shape) {
  check_shape(theta, shape);
  const Index n = std::min(shape.rows, shape.cols);
  if (!theta.allFinite()) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {{Matrix::Constant(shape.rows, n, nan), Vector::Constant(n, nan), Matrix::Constant(shape.cols, n, nan)}};
  }
  return {thin_svd(as_matrix(theta, shape))};
}

Vector singular_values_alone(VectorRef theta, IterateShape shape) {
  check_shape(theta, shape);
  if (!theta.allFinite())
    return Vector::Constant(std::min(shape.rows, shape.cols), std::numeric_limits<double>::quiet_NaN());
  return singular_values(as_matrix(theta, shape));
}

Flops svd_flops(IterateShape shape) {
  const Index p = std::max(shape.rows, shape.cols), n = std::min(shape.rows, shape.cols);
  return 14 * p * n * n + 8 * n * n * n;
}

Flops recomposition_flops(IterateShape shape) {
  const Index p = std::max(shape.rows, shape.cols), n = std::min(shape.rows, shape.cols);
  return 2 * p * n * n;
}

}  // namespace lagnet
