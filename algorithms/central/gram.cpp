#include "algorithms/central/gram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"
#include "sim/numerics/decompositions.hpp"
#include "sim/numerics/lanczos.hpp"

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

constexpr Index small_order = 512;

/// X X' for dense X or sparse wide X, X' X for sparse tall X. The dense product reads X once: a few columns are
/// multiplied with the vector and then with the result while they are still in cache.
class GramProduct final : public SymmetricOperator {
 public:
  explicit GramProduct(const DataMatrix& X) : X_(X), by_rows_(!X.is_sparse() || X.rows() <= X.cols()) {}
  Index rows() const override { return by_rows_ ? X_.rows() : X_.cols(); }

  void perform_op(const double* in, double* out) const override {
    const VectorView v(in, rows());
    Eigen::Map<Vector> result(out, rows());
    if (X_.is_sparse()) {
      result = by_rows_ ? X_.times(X_.transpose_times(v)) : X_.transpose_times(X_.times(v));
      return;
    }
    constexpr Index together = 4;
    const DenseView x = *X_.as_dense();
    result.setZero();
    for (Index j = 0; j < x.cols(); j += together) {
      const auto columns = x.middleCols(j, std::min(together, x.cols() - j));
      const Vector products = columns.transpose() * v;
      result.noalias() += columns * products;
    }
  }

 private:
  const DataMatrix& X_;
  bool by_rows_;
};

constexpr Index lanczos_vectors = 80;

/// The operator divided by `scale`, a lower bound of its largest eigenvalue, beside a diagonal of small numbers, which
/// change nothing of that eigenvalue. An operator with few different eigenvalues, as one of rank 1 has, makes as few
/// Lanczos vectors, and what comes after them is rounding errors, which Spectra takes for numbers. The diagonal has
/// enough of its own.
class Padded final : public SymmetricOperator {
 public:
  Padded(const GramProduct& product, double scale) : product_(product), scale_(scale) {}
  Index rows() const override { return product_.rows() + lanczos_vectors; }
  void perform_op(const double* in, double* out) const override {
    product_.perform_op(in, out);
    Eigen::Map<Vector> result(out, rows());
    result.head(product_.rows()) /= scale_;
    result.tail(lanczos_vectors) = VectorView(in, rows()).tail(lanczos_vectors).cwiseProduct(diagonal_);
  }

 private:
  const GramProduct& product_;
  double scale_;
  Vector diagonal_ = Vector::LinSpaced(lanczos_vectors, 0.01, 0.5);
};

/// The largest eigenvalue by the Lanczos method from a fixed start; nothing if it gives up, or gives what is no
/// eigenvalue.
std::optional<double> largest_eigenvalue(SymmetricOperator& product) {
  Draws draws(0, Purpose("spectral_norm"));
  Vector start(product.rows());
  for (double& entry : start) entry = draws.normal();
  // The eigenvalue's error is of the order of the residual's square over the gap, so 1e-9 leaves room for gaps of 1e-6.
  const auto found =
      largest_eigenpair(product, start, {.vectors = lanczos_vectors, .restarts = 300, .tolerance = 1e-9});
  if (!found) return std::nullopt;
  const auto& [value, vector] = *found;
  Vector image(vector.size());
  product.perform_op(vector.data(), image.data());
  // Ten times what Lanczos was asked for.
  if (!((image - value * vector).norm() <= 1e-8 * value)) return std::nullopt;
  return value;
}

/// |A v| for a v of length 1 in the range of A: at most its largest eigenvalue.
double lower_bound(const GramProduct& product) {
  Draws draws(1, Purpose("spectral_norm"));
  Vector v(product.rows()), image(product.rows());
  for (double& entry : v) entry = draws.normal();
  product.perform_op(v.data(), image.data());
  v = image.normalized();
  product.perform_op(v.data(), image.data());
  return image.norm();
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

double spectral_norm(const DataMatrix& X) {
  if (X.rows() == 0 || X.cols() == 0 || X.is_zero()) return 0;
  if (std::min(X.rows(), X.cols()) <= small_order) {
    const bool tall = X.cols() <= X.rows();
    const Matrix gram = tall ? gram_of_columns(X, Vector::Ones(X.rows())) : gram_of_rows(X, Vector::Ones(X.cols()));
    const auto eigenvalues = symmetric_eigenvalues(gram);
    if (!eigenvalues)
      return std::numeric_limits<double>::quiet_NaN();  // of squares that double precision does not hold
    return std::sqrt(std::max(eigenvalues->tail<1>().value(), 0.0));
  }
  GramProduct product(X);
  if (const auto value = largest_eigenvalue(product)) return std::sqrt(*value);
  const double scale = lower_bound(product);
  Padded padded(product, scale);
  const auto value = largest_eigenvalue(padded);
  LAGNET_CHECK(value, "the Lanczos method did not converge");
  return std::sqrt(*value * scale);
}

}  // namespace lagnet
