#include "scenarios/data/partitions/cell_partitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "scenarios/data/storage.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

struct Rectangle {
  std::vector<Index> samples, features;  // ascending
};

const DataMatrix& numbers_of(const PartitionContext& context) {
  LAGNET_CHECK(context.X && context.X->has_numbers(), "cells of data without numbers");
  return *context.X;
}

DataPartition partition_of(const std::vector<Rectangle>& clients, const PartitionContext& context) {
  const DataMatrix& X = numbers_of(context);
  std::vector<CellBlock> blocks;
  for (const Rectangle& cells : clients)
    blocks.emplace_back(cells.samples, cells.features, selected(X, cells.samples, cells.features),
                        context.labels(cells.samples));
  return {.starts = {}, .order = {}, .cells = std::make_shared<const Cells>(std::move(blocks), X.rows(), X.cols())};
}

struct Groups {
  Index K, Q;
};

/// K and Q for this many clients, K by the rule if it is not given.
Groups groups_of(std::optional<std::int64_t> sample_groups, Index Q, const PartitionContext& context,
                 std::string_view kind, std::string_view of_cuts) {
  DataDiagnostics diagnostics{std::string(kind)};
  const Index clients = context.holders;
  if (!sample_groups && clients % Q != 0)
    diagnostics.add(0, fmt::format("{} that divide the {} clients", of_cuts, clients), fmt::format("{}", Q));
  if (sample_groups && *sample_groups * Q != clients)
    diagnostics.add(0, fmt::format("sample_groups x {} = {} clients", of_cuts, clients),
                    fmt::format("{} x {}", *sample_groups, Q));
  diagnostics.throw_if_any();
  return {sample_groups.value_or(clients / Q), Q};
}

/// The entries of each row that are not zero, by ascending column.
std::vector<std::vector<std::pair<Index, double>>> nonzeros_by_row(const DataMatrix& X) {
  std::vector<std::vector<std::pair<Index, double>>> rows(static_cast<std::size_t>(X.rows()));
  const auto put = [&](Index i, Index j, double x) {
    if (x != 0) rows[static_cast<std::size_t>(i)].emplace_back(j, x);
  };
  for (Index j = 0; j < X.cols(); ++j) {
    if (const auto dense = X.as_dense())
      for (Index i = 0; i < X.rows(); ++i) put(i, j, (*dense)(i, j));
    else
      for (SparseView::InnerIterator entry(*X.as_sparse(), j); entry; ++entry) put(entry.row(), j, entry.value());
  }
  return rows;
}

}  // namespace

DataPartition make_partition(const BlocksOptions& options, const PartitionContext& context) {
  const auto [K, Q] = groups_of(options.sample_groups, options.feature_groups, context, options.kind, "feature_groups");
  const std::vector<Index> rows = even_starts(context.samples(), K), columns = even_starts(context.features, Q);
  std::vector<Rectangle> clients;
  for (std::size_t g = 0; g + 1 < rows.size(); ++g)
    for (std::size_t q = 0; q + 1 < columns.size(); ++q)
      clients.push_back({index_range(rows[g], rows[g + 1]), index_range(columns[q], columns[q + 1])});
  return partition_of(clients, context);
}

DataPartition make_partition(const NonzeroChunksOptions& options, const PartitionContext& context) {
  const auto [K, Q] = groups_of(options.sample_groups, options.chunks, context, options.kind, "chunks");
  const DataMatrix& X = numbers_of(context);
  const auto nonzeros = nonzeros_by_row(X);
  const std::vector<Index> groups = even_starts(context.samples(), K);
  std::vector<CellBlock> blocks;
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
    const std::vector<Index> samples = index_range(groups[g], groups[g + 1]);
    for (Index q = 0; q < Q; ++q) {
      std::vector<Eigen::Triplet<double>> chunk;
      std::vector<Index> features;
      for (std::size_t row = 0; row < samples.size(); ++row) {
        const auto& all = nonzeros[static_cast<std::size_t>(samples[row])];
        const std::vector<Index> cuts = even_starts(static_cast<Index>(all.size()), Q);
        for (Index e = cuts[static_cast<std::size_t>(q)]; e < cuts[static_cast<std::size_t>(q) + 1]; ++e) {
          const auto& [j, x] = all[static_cast<std::size_t>(e)];
          chunk.emplace_back(static_cast<int>(row), static_cast<int>(j), x);
          features.push_back(j);
        }
      }
      std::ranges::sort(features);
      features.erase(std::unique(features.begin(), features.end()), features.end());
      for (auto& entry : chunk)
        entry = {entry.row(),
                 static_cast<int>(std::ranges::lower_bound(features, Index{entry.col()}) - features.begin()),
                 entry.value()};
      SparseMatrix slices(static_cast<Index>(samples.size()), static_cast<Index>(features.size()));
      slices.setFromTriplets(chunk.begin(), chunk.end());
      blocks.emplace_back(samples, std::move(features), DataMatrix(std::move(slices)), context.labels(samples));
    }
  }
  return {.starts = {}, .order = {}, .cells = std::make_shared<const Cells>(std::move(blocks), X.rows(), X.cols())};
}

DataPartition make_partition(const QuadrantsOptions& options, const PartitionContext& context) {
  DataDiagnostics diagnostics{std::string(options.kind)};
  const auto root = static_cast<Index>(std::floor(std::sqrt(static_cast<double>(context.features))));
  const Index width = options.width.value_or(root), height = options.height.value_or(width), nc = context.holders;
  if (nc < 4) diagnostics.add(0, "at least 4 clients, one for each quadrant", fmt::format("{}", nc));
  if (width < 2 || height < 2 || height > context.features / width)
    diagnostics.add(0, fmt::format("images of 2 x 2 to all of the {} features", context.features),
                    fmt::format("{} x {}", width, height));
  diagnostics.throw_if_any();
  std::vector<std::vector<Index>> pixels(4);
  for (Index j = 0; j < context.features; ++j) {
    const bool lower = j / width >= height / 2, right = j % width >= width / 2;
    const bool after = j >= width * height;
    pixels[after ? 3 : 2 * std::size_t{lower} + std::size_t{right}].push_back(j);
  }
  std::vector<Rectangle> clients;
  for (Index quadrant = 0, c = 0; quadrant < 4; ++quadrant) {
    const Index first = c;
    while (c < nc && 4 * c / nc == quadrant) ++c;
    const std::vector<Index> groups = even_starts(context.samples(), c - first);
    for (std::size_t g = 0; g + 1 < groups.size(); ++g)
      clients.push_back({index_range(groups[g], groups[g + 1]), pixels[static_cast<std::size_t>(quadrant)]});
  }
  return partition_of(clients, context);
}

namespace {

/// A client's list in ascending order; what is wrong with it.
std::vector<Index> checked_list(const std::vector<std::int64_t>& given, Index count, AgentId client,
                                std::string_view things, DataDiagnostics& diagnostics) {
  std::vector<Index> list(given.begin(), given.end());
  std::ranges::sort(list);
  if (!list.empty() && (list.front() < 0 || list.back() >= count))
    diagnostics.add(0, fmt::format("{} of agent {} from 0 to {}", things, client, count - 1),
                    fmt::format("{}", list.front() < 0 ? list.front() : list.back()));
  const auto repeated = std::ranges::adjacent_find(list);
  if (repeated != list.end())
    diagnostics.add(0, fmt::format("each of the {} of agent {} once", things, client),
                    fmt::format("{} twice", *repeated));
  return list;
}

std::optional<Index> first_common(const std::vector<Index>& a, const std::vector<Index>& b) {
  std::vector<Index> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both.empty() ? std::nullopt : std::optional(both.front());
}

/// The first two clients who hold one cell.
void check_overlap(const std::vector<Rectangle>& clients, DataDiagnostics& diagnostics) {
  for (std::size_t b = 1; b < clients.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const auto i = first_common(clients[a].samples, clients[b].samples);
      const auto j = i ? first_common(clients[a].features, clients[b].features) : std::nullopt;
      if (!j) continue;
      return diagnostics.add(0, "every cell held by exactly one agent",
                             fmt::format("sample {}, feature {} held by agents {} and {}", *i, *j, a + 1, b + 1));
    }
}

/// The first non-zero entry, sample by sample, that no client holds.
void check_cover(const std::vector<Rectangle>& clients, const DataMatrix& X, DataDiagnostics& diagnostics) {
  std::vector<std::vector<std::size_t>> holders(static_cast<std::size_t>(X.rows()));
  for (std::size_t c = 0; c < clients.size(); ++c)
    for (const Index i : clients[c].samples) holders[static_cast<std::size_t>(i)].push_back(c);
  const auto nonzeros = nonzeros_by_row(X);
  for (std::size_t i = 0; i < nonzeros.size(); ++i)
    for (const auto& [j, x] : nonzeros[i]) {
      const auto holds = [&, j = j](std::size_t c) { return std::ranges::binary_search(clients[c].features, j); };
      if (std::ranges::any_of(holders[i], holds)) continue;
      return diagnostics.add(0, "an agent for every non-zero cell",
                             fmt::format("no agent for sample {}, feature {}, which is {}", i, j, x));
    }
}

}  // namespace

DataPartition make_partition(const CellListsOptions& options, const PartitionContext& context) {
  DataDiagnostics diagnostics{std::string(options.kind)};
  const auto wanted = static_cast<std::size_t>(context.holders);
  for (const auto& [name, lists] : {std::pair("samples", &options.samples), std::pair("features", &options.features)})
    if (lists->size() != wanted)
      diagnostics.add(0, fmt::format("{} lists of {}, one for each client", wanted, name),
                      fmt::format("{}", lists->size()));
  diagnostics.throw_if_any();
  std::vector<Rectangle> clients;
  for (std::size_t c = 0; c < wanted; ++c) {
    const auto client = static_cast<AgentId>(c + 1);
    clients.push_back({checked_list(options.samples[c], context.samples(), client, "samples", diagnostics),
                       checked_list(options.features[c], context.features, client, "features", diagnostics)});
  }
  diagnostics.throw_if_any();
  check_overlap(clients, diagnostics);
  check_cover(clients, numbers_of(context), diagnostics);
  diagnostics.throw_if_any();
  return partition_of(clients, context);
}

}  // namespace lagnet
