#include "algorithms/central/gram.hpp"

#include <algorithm>

#include "sim/base/errors.hpp"

namespace lagnet {
namespace {

constexpr Index block_size = 512;  // rows or columns scaled at a time, so that the copy stays in cache

/// The sum over the outer vectors x_k of weights_k x_k x_k', lower triangle.
template <class Sparse>
Matrix sum_of_outer_products(const Sparse& x, VectorRef weights) {
  Matrix sum = Matrix::Zero(x.innerSize(), x.innerSize());
  for (Index k = 0; k < x.outerSize(); ++k) {
    for (typename Sparse::InnerIterator first(x, k); first; ++first) {
      const double scaled = weights[k] * first.value();
      double* column = sum.col(first.index()).data();
      typename Sparse::InnerIterator second = first;
      for (; second; ++second) column[second.index()] += scaled * second.value();
    }
  }
  return sum;
}

}  // namespace

Matrix gram_of_columns(const DataMatrix& X, VectorRef weights) {
  LAGNET_CHECK(weights.size() == X.rows(), "{} weights for {} rows", weights.size(), X.rows());
  if (const auto by_rows = X.as_sparse_rows()) return sum_of_outer_products(*by_rows, weights);
  if (const auto sparse = X.as_sparse()) return sum_of_outer_products(SparseRows(*sparse), weights);
  const DenseView x = *X.as_dense();
  Matrix sum = Matrix::Zero(x.cols(), x.cols());
  for (Index i = 0; i < x.rows(); i += block_size) {
    const Index count = std::min(block_size, x.rows() - i);
    const Matrix scaled = weights.segment(i, count).cwiseSqrt().asDiagonal() * x.middleRows(i, count);
    sum.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
  }
  return sum;
}

Matrix gram_of_rows(const DataMatrix& X, VectorRef weights) {
  LAGNET_CHECK(weights.size() == X.cols(), "{} weights for {} columns", weights.size(), X.cols());
  if (const auto sparse = X.as_sparse()) return sum_of_outer_products(*sparse, weights);
  const DenseView x = *X.as_dense();
  Matrix sum = Matrix::Zero(x.rows(), x.rows());
  for (Index j = 0; j < x.cols(); j += block_size) {
    const Index count = std::min(block_size, x.cols() - j);
    const Matrix scaled = x.middleCols(j, count) * weights.segment(j, count).cwiseSqrt().asDiagonal();
    sum.selfadjointView<Eigen::Lower>().rankUpdate(scaled);
  }
  return sum;
}

}  // namespace lagnet
