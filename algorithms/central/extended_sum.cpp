#include "algorithms/central/extended_sum.hpp"

#include <vector>

namespace lagnet {
namespace {

/// visit(i, j, x_ij) for every stored entry, column by column.
template <class Visit>
void for_entries(const DataMatrix& X, Visit visit) {
  if (const auto sparse = X.as_sparse()) {
    for (Index j = 0; j < sparse->outerSize(); ++j)
      for (SparseView::InnerIterator entry(*sparse, j); entry; ++entry) visit(entry.row(), j, entry.value());
    return;
  }
  const DenseView x = *X.as_dense();
  for (Index j = 0; j < x.cols(); ++j)
    for (Index i = 0; i < x.rows(); ++i) visit(i, j, x(i, j));
}

BoundedVector bounded(const std::vector<ExtendedSum>& sums) {
  const Index size = std::ssize(sums);
  BoundedVector made{Vector(size), Vector(size)};
  for (Index i = 0; i < size; ++i) {
    made.value[i] = sums[static_cast<std::size_t>(i)].value();
    made.error[i] = sums[static_cast<std::size_t>(i)].error();
  }
  return made;
}

}  // namespace

BoundedVector bounded_scores(const Problem& problem, VectorRef theta) {
  const Index c = problem.loss->outputs();
  std::vector<ExtendedSum> sums(static_cast<std::size_t>(problem.X->rows() * c));
  for_entries(*problem.X, [&](Index i, Index j, double x) {
    for (Index k = 0; k < c; ++k)
      sums[static_cast<std::size_t>(i * c + k)].add(static_cast<long double>(x) * theta[j * c + k]);
  });
  return bounded(sums);
}

BoundedVector bounded_pull(const Problem& problem, VectorRef center, VectorRef radius) {
  const Index c = problem.loss->outputs();
  std::vector<ExtendedSum> sums(static_cast<std::size_t>(problem.dim()));
  Vector spread = Vector::Zero(problem.dim());
  for_entries(*problem.X, [&](Index i, Index j, double x) {
    for (Index k = 0; k < c; ++k) {
      sums[static_cast<std::size_t>(j * c + k)].add(static_cast<long double>(x) * center[i * c + k]);
      spread[j * c + k] += std::abs(x) * radius[i * c + k];
    }
  });
  BoundedVector made = bounded(sums);
  made.error += 1.01 * spread;
  return made;
}

}  // namespace lagnet
