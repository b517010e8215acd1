#include "scenarios/data/partitions/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/files/data_diagnostics.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

std::vector<Index> even_starts(Index count, Index holders) {
  LAGNET_CHECK(count >= 0 && holders >= 1, "{} things over {} holders", count, holders);
  std::vector<Index> starts;
  for (Index j = 0; j <= holders; ++j) starts.push_back(j * (count / holders) + std::min(j, count % holders));
  return starts;
}

std::vector<Index> starts_of(const std::vector<std::int64_t>& sizes, Index count, Index holders, std::string_view kind,
                             std::string_view things) {
  DataProblems problems{std::string(kind)};
  if (static_cast<Index>(sizes.size()) != holders)
    problems.add(0, fmt::format("{} blocks, one for each agent", holders), fmt::format("{}", sizes.size()));
  std::vector<Index> starts{0};
  bool too_many = false;
  for (const std::int64_t size : sizes) {
    if (size < 0) problems.add(0, "sizes of at least 0", fmt::format("{}", size));
    too_many = too_many || size > count - starts.back();  // found before a sum can overflow
    starts.push_back(too_many ? count : starts.back() + std::max<std::int64_t>(size, 0));
  }
  const std::string wanted = fmt::format("sizes that add up to the {} {}", count, things);
  if (too_many) problems.add(0, wanted, "more");
  if (!too_many && starts.back() != count) problems.add(0, wanted, fmt::format("{}", starts.back()));
  problems.throw_if_any();
  return starts;
}

std::vector<Index> random_order(Index count, std::string_view purpose, std::uint64_t seed) {
  const auto order = Draws(seed, Purpose{purpose}).permutation(static_cast<std::uint32_t>(count));
  return {order.begin(), order.end()};
}

DataMatrix ordered_columns(const DataMatrix& X, const std::vector<Index>& order) {
  LAGNET_CHECK(static_cast<Index>(order.size()) == X.cols(), "an order of {} columns for {}", order.size(), X.cols());
  if (!X.has_numbers()) return X;
  if (const Matrix* dense = X.as_dense()) return DataMatrix(Matrix((*dense)(Eigen::all, order)));
  const SparseMatrix& from = *X.as_sparse();
  SparseMatrix to(from.rows(), from.cols());
  to.reserve(from.nonZeros());
  for (Index place = 0; place < from.cols(); ++place) {
    to.startVec(place);
    for (SparseMatrix::InnerIterator entry(from, order[static_cast<std::size_t>(place)]); entry; ++entry)
      to.insertBack(entry.row(), place) = entry.value();
  }
  to.finalize();
  return DataMatrix(std::move(to));
}

DataMatrix ordered_rows(const DataMatrix& X, const std::vector<Index>& order) {
  LAGNET_CHECK(static_cast<Index>(order.size()) == X.rows(), "an order of {} rows for {}", order.size(), X.rows());
  if (!X.has_numbers()) return X;
  if (const Matrix* dense = X.as_dense()) return DataMatrix(Matrix((*dense)(order, Eigen::all)));
  const SparseMatrix& from = *X.as_sparse();
  std::vector<Index> canonical_path(order.size());
  for (std::size_t place = 0; place < order.size(); ++place)
    canonical_path[static_cast<std::size_t>(order[place])] = static_cast<Index>(place);
  SparseMatrix to(from.rows(), from.cols());
  to.reserve(from.nonZeros());
  std::vector<std::pair<Index, double>> column;
  for (Index j = 0; j < from.cols(); ++j) {
    column.clear();
    for (SparseMatrix::InnerIterator entry(from, j); entry; ++entry)
      column.emplace_back(canonical_path[static_cast<std::size_t>(entry.row())], entry.value());
    std::ranges::sort(column, {}, &std::pair<Index, double>::first);
    to.startVec(j);
    for (const auto& [row, value] : column) to.insertBack(row, j) = value;
  }
  to.finalize();
  return DataMatrix(std::move(to));
}

Vector ordered(VectorRef labels, const std::vector<Index>& order) {
  LAGNET_CHECK(static_cast<Index>(order.size()) == labels.size(), "an order of {} labels for {}", order.size(),
               labels.size());
  return labels(order);
}

}  // namespace lagnet
