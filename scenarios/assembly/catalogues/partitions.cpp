#include "scenarios/data/partitions/cell_partitions.hpp"
#include "scenarios/data/partitions/feature_partitions.hpp"
#include "scenarios/data/partitions/sample_partitions.hpp"
#include "scenarios/data/partitions/skewed_partitions.hpp"
#include "scenarios/format/kinds/partition_kinds.hpp"

namespace lagnet {

namespace {

template <class Options>
auto partition_line() {
  return entry<Options>([](const Options& options) {
    constexpr bool needs_labels = requires { Options::needs_labels; };
    return MadePartition{Options::division, needs_labels,
                         [options](const PartitionContext& context) { return make_partition(options, context); }};
  });
}

}  // namespace

// One line an entry, which clang-format would fill up.
// clang-format off
const Catalogue<MadePartition>& PartitionFamily::catalogue() {
  static const Catalogue<MadePartition> all(
      partition_line<EvenFeaturesOptions>(),
      partition_line<ShuffledFeaturesOptions>(),
      partition_line<FeatureBlocksOptions>(),
      partition_line<EvenSamplesOptions>(),
      partition_line<ShuffledSamplesOptions>(),
      partition_line<SampleBlocksOptions>(),
      partition_line<ByLabelOptions>(),
      partition_line<DirichletOptions>(),
      partition_line<QuantitySkewOptions>(),
      partition_line<BlocksOptions>(),
      partition_line<NonzeroChunksOptions>(),
      partition_line<QuadrantsOptions>(),
      partition_line<CellListsOptions>());
  return all;
}
// clang-format on

}  // namespace lagnet
