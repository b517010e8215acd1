#include "algorithms/central/spectral_norm.hpp"

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/central/gram.hpp"
#include "sim/base/decompositions.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {
namespace {

constexpr Index small_order = 512;

/// X X' for dense X or sparse wide X, X' X for sparse tall X. The dense product reads X once: a few columns are
/// multiplied with the vector and then with the result while they are still in cache.
class GramProduct {
 public:
  using Scalar = double;
  explicit GramProduct(const DataMatrix& X) : X_(X), by_rows_(!X.is_sparse() || X.rows() <= X.cols()) {}
  Index rows() const { return by_rows_ ? X_.rows() : X_.cols(); }
  Index cols() const { return rows(); }

  void perform_op(const double* in, double* out) const {
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

}  // namespace

double spectral_norm(const DataMatrix& X) {
  if (X.rows() == 0 || X.cols() == 0 || X.squared_norm() == 0) return 0;
  if (std::min(X.rows(), X.cols()) <= small_order) {
    const bool tall = X.cols() <= X.rows();
    const Matrix gram = tall ? gram_of_columns(X, Vector::Ones(X.rows())) : gram_of_rows(X, Vector::Ones(X.cols()));
    const auto eigenvalues = symmetric_eigenvalues(gram);
    if (!eigenvalues)
      return std::numeric_limits<double>::quiet_NaN();  // of squares that double precision does not hold
    return std::sqrt(std::max(eigenvalues->tail<1>().value(), 0.0));
  }
  GramProduct product(X);
  Draws draws(0, Purpose("spectral_norm"));
  Vector start(product.rows());
  for (double& entry : start) entry = draws.normal();
  // The eigenvalue's error is of the order of the residual's square over the gap, so 1e-9 leaves room for gaps of 1e-6.
  Spectra::SymEigsSolver<GramProduct> lanczos(product, 1, std::min<Index>(80, product.rows()));
  lanczos.init(start.data());
  lanczos.compute(Spectra::SortRule::LargestAlge, 300, 1e-9);
  LAGNET_CHECK(lanczos.info() == Spectra::CompInfo::Successful, "the Lanczos method did not converge");
  return std::sqrt(lanczos.eigenvalues()[0]);
}

}  // namespace lagnet
