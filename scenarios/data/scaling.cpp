#include "scenarios/data/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lagnet {

namespace {
// Constant columns are told by their extremes: their computed variance is often not zero but rounding error.
template <class Column>
bool constant(const Column& x) {
  return x.minCoeff() == x.maxCoeff();
}

void standardize(Matrix& X) {
  for (Index j = 0; j < X.cols(); ++j) {
    auto x = X.col(j);
    if (constant(x)) {
      x.setZero();
      continue;
    }
    x.array() -= x.mean();
    x /= std::sqrt(x.squaredNorm() / static_cast<double>(x.size()));
  }
}

void minmax(Matrix& X) {
  for (Index j = 0; j < X.cols(); ++j) {
    auto x = X.col(j);
    const double low = x.minCoeff(), high = x.maxCoeff();
    if (low == high) {
      x.setZero();
    } else {
      x = ((x.array() - low) / (high - low) * 2 - 1).matrix().eval();
    }
  }
}

Vector row_norms(const DataMatrix& X) {
  if (const Matrix* dense = X.as_dense()) return dense->rowwise().stableNorm();
  const SparseMatrix& sparse = *X.as_sparse();
  Vector largest = Vector::Zero(sparse.rows()), squares = largest;
  for (Index j = 0; j < sparse.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(sparse, j); entry; ++entry) {
      largest[entry.row()] = std::max(largest[entry.row()], std::abs(entry.value()));
    }
  }
  for (Index j = 0; j < sparse.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(sparse, j); entry; ++entry) {
      const double ratio = entry.value() / largest[entry.row()];  // no square overflows or vanishes
      if (entry.value() != 0) squares[entry.row()] += ratio * ratio;
    }
  }
  return (largest.array() * squares.array().sqrt()).matrix();
}

Vector column_maxima(const DataMatrix& X) {
  if (const Matrix* dense = X.as_dense()) return dense->cwiseAbs().colwise().maxCoeff();
  const SparseMatrix& sparse = *X.as_sparse();
  Vector largest = Vector::Zero(sparse.cols());
  for (Index j = 0; j < sparse.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(sparse, j); entry; ++entry) {
      largest[j] = std::max(largest[j], std::abs(entry.value()));
    }
  }
  return largest;
}

// Row i divided by rows[i] and column j by columns[j].
DataMatrix divided(const DataMatrix& X, VectorRef rows, VectorRef columns) {
  if (const Matrix* dense = X.as_dense()) {
    Matrix result = *dense;
    for (Index j = 0; j < result.cols(); ++j) result.col(j).array() /= rows.array() * columns[j];
    return DataMatrix(std::move(result));
  }
  SparseMatrix result = *X.as_sparse();
  for (Index j = 0; j < result.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(result, j); entry; ++entry) {
      entry.valueRef() /= rows[entry.row()] * columns[j];
    }
  }
  return DataMatrix(std::move(result));
}

Vector ones_for_zeros(Vector divisors) {
  return (divisors.array() == 0).select(Vector::Ones(divisors.size()), divisors);
}
}  // namespace

DataMatrix scaled(const DataMatrix& X, Scaling scaling, Vector& divisors) {
  switch (scaling) {
    case Scaling::none:
      break;
    case Scaling::standardize:
    case Scaling::minmax: {
      Matrix dense = X.dense();
      scaling == Scaling::standardize ? standardize(dense) : minmax(dense);
      return DataMatrix(std::move(dense));
    }
    case Scaling::unit_rows:
      return divided(X, ones_for_zeros(row_norms(X)), Vector::Ones(X.cols()));
    case Scaling::max_abs:
      divisors = ones_for_zeros(column_maxima(X));
      return divided(X, Vector::Ones(X.rows()), divisors);
  }
  return X;
}

}  // namespace lagnet
