#include "scenarios/data/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lagnet {

namespace {
// Constant columns are detected by their extremes: their computed variance is often not zero but rounding error.
template <class Column>
bool constant(const Column& x) {
  return x.minCoeff() == x.maxCoeff();
}

void learn_mean_and_deviation(const DenseView& X, LearntScaling& learnt) {
  for (Index j = 0; j < X.cols(); ++j) {
    if (constant(X.col(j))) continue;
    learnt.offset[j] = X.col(j).mean();
    const Vector centered = (X.col(j).array() - learnt.offset[j]).matrix();
    learnt.divisor[j] = std::sqrt(centered.squaredNorm() / static_cast<double>(X.rows()));
  }
}

void learn_range(const DenseView& X, LearntScaling& learnt) {
  for (Index j = 0; j < X.cols(); ++j) {
    learnt.offset[j] = X.col(j).minCoeff();
    learnt.divisor[j] = X.col(j).maxCoeff() - learnt.offset[j];
  }
}

DataMatrix centered_and_divided(Matrix X, const LearntScaling& learnt) {
  for (Index j = 0; j < X.cols(); ++j) {
    auto x = X.col(j);
    if (learnt.divisor[j] == 0)
      x.setZero();
    else if (learnt.kind == Scaling::minmax)
      x = ((x.array() - learnt.offset[j]) / learnt.divisor[j] * 2 - 1).matrix();
    else
      x = ((x.array() - learnt.offset[j]) / learnt.divisor[j]).matrix();
  }
  return DataMatrix(std::move(X));
}

Vector row_norms(const DataMatrix& X) {
  if (const auto dense = X.as_dense()) return dense->rowwise().stableNorm();
  const SparseView sparse = *X.as_sparse();
  Vector largest = Vector::Zero(sparse.rows()), squares = largest;
  for (Index j = 0; j < sparse.cols(); ++j) {
    for (SparseView::InnerIterator entry(sparse, j); entry; ++entry) {
      largest[entry.row()] = std::max(largest[entry.row()], std::abs(entry.value()));
    }
  }
  for (Index j = 0; j < sparse.cols(); ++j) {
    for (SparseView::InnerIterator entry(sparse, j); entry; ++entry) {
      const double ratio = entry.value() / largest[entry.row()];  // no square overflows or vanishes
      if (entry.value() != 0) squares[entry.row()] += ratio * ratio;
    }
  }
  return (largest.array() * squares.array().sqrt()).matrix();
}

Vector column_maxima(const DataMatrix& X) {
  if (const auto dense = X.as_dense()) return dense->cwiseAbs().colwise().maxCoeff();
  const SparseView sparse = *X.as_sparse();
  Vector largest = Vector::Zero(sparse.cols());
  for (Index j = 0; j < sparse.cols(); ++j) {
    for (SparseView::InnerIterator entry(sparse, j); entry; ++entry) {
      largest[j] = std::max(largest[j], std::abs(entry.value()));
    }
  }
  return largest;
}

// Row i divided by rows[i] and column j by columns[j].
DataMatrix divided(const DataMatrix& X, VectorRef rows, VectorRef columns) {
  if (const auto dense = X.as_dense()) {
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

LearntScaling learn_scaling(const DataMatrix& X, Scaling scaling) {
  LearntScaling learnt{.kind = scaling, .offset = {}, .divisor = {}};
  if (scaling == Scaling::max_abs) learnt.divisor = column_maxima(X);
  if (scaling != Scaling::standardize && scaling != Scaling::minmax) return learnt;
  learnt.offset = learnt.divisor = Vector::Zero(X.cols());
  const Matrix copy = X.is_sparse() ? X.dense() : Matrix();
  const DenseView dense = X.is_sparse() ? DenseView(copy.data(), copy.rows(), copy.cols()) : *X.as_dense();
  scaling == Scaling::standardize ? learn_mean_and_deviation(dense, learnt) : learn_range(dense, learnt);
  return learnt;
}

DataMatrix scaled(const DataMatrix& X, const LearntScaling& scaling) {
  switch (scaling.kind) {
    case Scaling::none:
      break;
    case Scaling::standardize:
    case Scaling::minmax:
      return centered_and_divided(X.dense(), scaling);
    case Scaling::unit_rows:
      return divided(X, ones_for_zeros(row_norms(X)), Vector::Ones(X.cols()));
    case Scaling::max_abs:
      return divided(X, Vector::Ones(X.rows()), ones_for_zeros(scaling.divisor));
  }
  return X;
}

}  // namespace lagnet
