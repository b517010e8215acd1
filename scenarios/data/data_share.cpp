#include "scenarios/data/data_share.hpp"

#include <cstddef>
#include <vector>

namespace lagnet {

namespace {

Matrix dense_data_of(const DataShare& share) {
  Matrix all = Matrix::Zero(share.rows, share.columns);
  if (share.of_samples)
    all(share.held, Eigen::all) = share.numbers.dense();
  else
    all(Eigen::all, share.held) = share.numbers.dense();
  return all;
}

SparseMatrix sparse_data_of(const DataShare& share) {
  const SparseView numbers = *share.numbers.as_sparse();
  std::vector<Eigen::Triplet<double, SparseMatrix::StorageIndex>> entries;
  entries.reserve(static_cast<std::size_t>(numbers.nonZeros()));
  const auto place = [&](Index i) {
    return static_cast<SparseMatrix::StorageIndex>(share.held[static_cast<std::size_t>(i)]);
  };
  for (Index column = 0; column < numbers.outerSize(); ++column)
    for (SparseView::InnerIterator at(numbers, column); at; ++at) {
      const auto row_here = static_cast<SparseMatrix::StorageIndex>(at.row());
      const auto column_here = static_cast<SparseMatrix::StorageIndex>(at.col());
      entries.emplace_back(share.of_samples ? place(at.row()) : row_here,
                           share.of_samples ? column_here : place(at.col()), at.value());
    }
  SparseMatrix all(share.rows, share.columns);
  all.setFromTriplets(entries.begin(), entries.end());
  return all;
}

}  // namespace

DataSet data_of(const DataShare& share) {
  DataSet data{.X = share.numbers.is_sparse() ? DataMatrix(sparse_data_of(share)) : DataMatrix(dense_data_of(share))};
  data.y = share.y;
  if (share.of_samples) {
    data.y = Vector::Constant(share.rows, share.other_label);
    data.y(share.held) = share.y;
  }
  data.samples = share.samples;
  data.shape = share.shape;
  data.origin = "a share of the data";
  return data;
}

}  // namespace lagnet
