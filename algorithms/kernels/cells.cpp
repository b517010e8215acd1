#include "algorithms/kernels/cells.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

CellBlock::CellBlock(std::vector<Index> held_samples, std::vector<Index> held_features, const DataMatrix& X, Vector y)
    : samples(std::move(held_samples)),
      features(std::move(held_features)),
      slices(X, std::move(y)),
      entries(X.nonzeros()) {
  LAGNET_CHECK(X.rows() == n() && X.cols() == m(), "{} x {} slices of {} samples and {} features", X.rows(), X.cols(),
               n(), m());
  LAGNET_CHECK(std::ranges::is_sorted(samples) && std::ranges::is_sorted(features), "cells are not in order");
}

void CellBlock::scores_into(Eigen::Ref<Vector> ip, VectorRef w) const {
  for (Index i = 0; i < n(); ++i) ip[i] = slices.score(i, w);
}

void CellBlock::sum_into(Vector& hat, VectorRef a) const {
  hat.setZero(m());
  for (Index i = 0; i < n(); ++i) slices.add(i, a[i], hat);
}

Vector CellBlock::squared_norms() const {
  Vector norms(n()), slice(m());
  for (Index i = 0; i < n(); ++i) {
    slice.setZero();
    slices.add(i, 1, slice);
    norms[i] = slice.squaredNorm();
  }
  return norms;
}

DataMatrix CellBlock::matrix() const {
  if (!slices.is_sparse()) {
    Matrix dense(n(), m());
    for (Index i = 0; i < n(); ++i) dense.row(i) = VectorView(slices.row(i).values.data(), m()).transpose();
    return DataMatrix(std::move(dense));
  }
  std::vector<Eigen::Triplet<double>> all;
  all.reserve(static_cast<std::size_t>(entries));
  for (Index i = 0; i < n(); ++i) {
    const SampleRow row = slices.row(i);
    for (std::size_t at = 0; at < row.values.size(); ++at)
      all.emplace_back(static_cast<int>(i), row.columns[at], row.values[at]);
  }
  SparseMatrix sparse(n(), m());
  sparse.setFromTriplets(all.begin(), all.end());
  return DataMatrix(std::move(sparse));
}

Index CellBlock::entries_of(std::span<const Index> rows) const {
  Index count = 0;
  for (const Index i : rows) count += slices.entries(i);
  return count;
}

Cost CellBlock::product_work(Index passed) const {
  constexpr Bytes number = sizeof(double), index = sizeof(int);
  return {2 * passed, (slices.is_sparse() ? number + index : number) * passed + number * (n() + m())};
}

Cells::Cells(std::vector<CellBlock> blocks, Index samples, Index features)
    : N_(samples), M_(features), blocks_(std::move(blocks)), norms_(Vector::Zero(samples)) {
  std::vector<Index> count(static_cast<std::size_t>(N_), 0);
  for (const CellBlock& block : blocks_) {
    for (const Index i : block.samples) ++count.at(static_cast<std::size_t>(i));
    const Vector norms = block.squared_norms();
    for (Index row = 0; row < block.n(); ++row) norms_[block.samples[static_cast<std::size_t>(row)]] += norms[row];
    bytes_ += 12 * block.entries + 8 * (2 * block.n() + block.m());
  }
  starts_.push_back(0);
  for (const Index holders : count) {
    starts_.push_back(starts_.back() + holders);
    shares_samples_ = shares_samples_ || holders > 1;
  }
  places_.resize(static_cast<std::size_t>(starts_.back()));
  std::vector<Index> next(starts_.begin(), starts_.end() - 1);
  for (AgentId k = 1; k <= blocks_.size(); ++k)
    for (Index row = 0; row < of(k).n(); ++row)
      places_[static_cast<std::size_t>(
          next[static_cast<std::size_t>(of(k).samples[static_cast<std::size_t>(row)])]++)] = {k, row};
  for (AgentId k = 1; k <= blocks_.size(); ++k) {
    first_alike_.push_back(k);
    if (of(k).n() == 0) continue;
    for (const Place& place : holders(of(k).samples.front())) {
      first_alike_.back() = place.client;
      if (of(place.client).samples == of(k).samples) break;  // as k's own are, at the latest
    }
  }
  bytes_ += static_cast<Bytes>(places_.size() * sizeof(Place));
}

std::span<const Cells::Place> Cells::holders(Index sample) const {
  const auto i = static_cast<std::size_t>(sample);
  return {places_.data() + starts_[i], static_cast<std::size_t>(starts_[i + 1] - starts_[i])};
}

}  // namespace lagnet
