#include "scenarios/data/partitions/cell_partitions.hpp"
#include "scenarios/data/partitions/feature_partitions.hpp"
#include "scenarios/data/partitions/sample_partitions.hpp"
#include "scenarios/data/partitions/skewed_partitions.hpp"
#include "scenarios/format/kinds/partition_kinds.hpp"

namespace lagnet {

// One line a kind, which clang-format would fill up.
// clang-format off
const Catalogue<MadePartition>& PartitionFamily::catalogue() {
  static const auto all = Catalogue<MadePartition>::of<
      EvenFeaturesOptions,
      ShuffledFeaturesOptions,
      FeatureBlocksOptions,
      EvenSamplesOptions,
      ShuffledSamplesOptions,
      SampleBlocksOptions,
      ByLabelOptions,
      DirichletOptions,
      QuantitySkewOptions,
      BlocksOptions,
      NonzeroChunksOptions,
      QuadrantsOptions,
      CellListsOptions>([](const auto& options) {
    return MadePartition{options.traits,
                         [options](const PartitionContext& context) { return make_partition(options, context); }};
  });
  return all;
}
// clang-format on

}  // namespace lagnet
