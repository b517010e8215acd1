#include "algorithms/local/own_function.hpp"

#include <vector>

#include "algorithms/central/gram.hpp"

namespace lagnet {

double OwnFunction::value(VectorRef theta, VectorRef scores) const {
  const double of_losses = scale() * loss.total(scores, y);
  return l2_weight > 0 ? of_losses + l2_weight / 2 * theta.squaredNorm() : of_losses;
}

Matrix OwnFunction::hessian(VectorRef scores) const {
  Matrix H = gram_of_columns(
      X, loss.is_squared() ? Vector(Vector::Constant(X.rows(), scale())) : Vector(scale() * loss.curvature(scores, y)));
  H.diagonal().array() += l2_weight;
  return H;
}

Flops products_of_rows(const DataMatrix& X) {
  const auto sparse = X.as_sparse();
  if (!sparse) return X.nonzeros() * X.cols();
  std::vector<Index> entries(static_cast<std::size_t>(X.rows()), 0);
  for (Index j = 0; j < sparse->outerSize(); ++j)
    for (SparseView::InnerIterator entry(*sparse, j); entry; ++entry) ++entries[static_cast<std::size_t>(entry.row())];
  Flops sum = 0;
  for (const Index count : entries) sum += count * count;
  return sum;
}

Cost hessian_work(const OwnFunction& f) {
  const Index n = f.X.rows(), d = f.X.cols();
  Flops flops = products_of_rows(f.X) + f.X.nonzeros();
  if (!f.loss.is_squared()) flops += f.X.nonzeros() + 4 * n;
  if (f.l2_weight > 0) flops += d;
  return {flops, f.X.bytes() + Bytes{sizeof(double)} * d * d};
}

}  // namespace lagnet
