#include "scenarios/data/partitions/sample_partitions.hpp"

namespace lagnet {

DataPartition make_partition(const EvenSamplesOptions&, const PartitionContext& context) {
  return {.starts = even_starts(context.samples(), context.holders), .order = {}};
}

DataPartition make_partition(const ShuffledSamplesOptions&, const PartitionContext& context) {
  return {.starts = even_starts(context.samples(), context.holders),
          .order = random_order(context.samples(), "partition.samples", context.seed)};
}

DataPartition make_partition(const SampleBlocksOptions& options, const PartitionContext& context) {
  return {.starts = starts_of(options.sizes, context.samples(), context.holders, options.kind, "samples"), .order = {}};
}

}  // namespace lagnet
