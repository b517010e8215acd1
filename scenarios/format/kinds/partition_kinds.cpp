#include "scenarios/format/kinds/partition_kinds.hpp"

#include "scenarios/data/partitions/cell_partitions.hpp"
#include "scenarios/data/partitions/feature_partitions.hpp"
#include "scenarios/data/partitions/sample_partitions.hpp"

namespace lagnet {

Choice<PartitionFamily> default_partition(const AlgorithmTraits& traits) {
  if (traits.partition_by == PartitionBy::samples) return Choice<PartitionFamily>(EvenSamplesOptions{});
  if (traits.partition_by == PartitionBy::cells) return Choice<PartitionFamily>(BlocksOptions{});
  return Choice<PartitionFamily>(EvenFeaturesOptions{});
}

}  // namespace lagnet
