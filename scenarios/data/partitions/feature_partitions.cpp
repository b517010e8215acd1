#include "scenarios/data/partitions/feature_partitions.hpp"

#include <fmt/format.h>

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

namespace {

std::vector<Index> checked_starts(const std::vector<std::int64_t>& given, const PartitionContext& context) {
  DataDiagnostics diagnostics{std::string(FeatureBlocksOptions::kind)};
  const Index columns = context.features;
  std::vector<Index> starts(given.begin(), given.end());
  if (static_cast<Index>(starts.size()) != context.holders)
    diagnostics.add(0, fmt::format("{} blocks, one for each agent", context.holders), fmt::format("{}", starts.size()));
  if (starts.front() != 0)
    diagnostics.add(0, "a first block that starts at column 0", fmt::format("{}", starts.front()));
  for (std::size_t j = 1; j < starts.size(); ++j)
    if (starts[j] < starts[j - 1])
      diagnostics.add(0, fmt::format("a start of agent {} not below {}", j, starts[j - 1]),
                      fmt::format("{}", starts[j]));
  if (starts.back() > columns)
    diagnostics.add(0, fmt::format("starts of at most the {} columns", columns), fmt::format("{}", starts.back()));
  diagnostics.throw_if_any();
  starts.push_back(columns);
  return starts;
}

}  // namespace

DataPartition make_partition(const EvenFeaturesOptions&, const PartitionContext& context) {
  return {.starts = even_starts(context.features, context.holders), .order = {}};
}

DataPartition make_partition(const ShuffledFeaturesOptions&, const PartitionContext& context) {
  return {.starts = even_starts(context.features, context.holders),
          .order = random_order(context.features, "partition.features", context.seed)};
}

DataPartition make_partition(const FeatureBlocksOptions& options, const PartitionContext& context) {
  if (options.sizes.empty() == options.starts.empty())
    refuse_data(std::string(options.kind), "either sizes or starts", options.sizes.empty() ? "neither" : "both");
  if (options.sizes.empty()) return {.starts = checked_starts(options.starts, context), .order = {}};
  return {.starts = starts_of(options.sizes, context.features, context.holders, options.kind, "columns"), .order = {}};
}

}  // namespace lagnet
