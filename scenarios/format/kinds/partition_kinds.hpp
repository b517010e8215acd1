#pragma once

#include <string_view>

#include "algorithms/interface/algorithm_traits.hpp"
#include "scenarios/data/partitions/partition.hpp"
#include "scenarios/json/choice.hpp"

namespace lagnet {

/// Kinds of partitions of the data. The options of each kind are in scenarios/data/partitions.
struct PartitionFamily {
  static constexpr std::string_view key = "kind", called = "partition", default_kind = "features";
  static const Catalogue<MadePartition>& catalogue();
};

/// The partition of a scenario that names none: even blocks of features, of samples or of cells.
Choice<PartitionFamily> default_partition(const AlgorithmTraits& traits);

}  // namespace lagnet
