#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scenarios/data/partitions/partition.hpp"
#include "sim/base/options.hpp"

/// Partitions of the rows that do not look at the labels: each holder of data has some samples, with all features.
namespace lagnet {

/// Contiguous shards, as even as can be: even_starts().
struct EvenSamplesOptions : NoOptions {
  static constexpr std::string_view kind = "samples";
  static constexpr std::string_view summary = "even contiguous shards of samples";
  static constexpr PartitionTraits traits{.by = PartitionBy::samples};
};

/// The even shards of samples that were put in a random order first, drawn from the seed.
struct ShuffledSamplesOptions : NoOptions {
  static constexpr std::string_view kind = "shuffled_samples";
  static constexpr std::string_view summary = "even shards of samples in random order";
  static constexpr PartitionTraits traits{.by = PartitionBy::samples};
};

/// Contiguous shards of given sizes.
struct SampleBlocksOptions {
  std::vector<std::int64_t> sizes;

  static constexpr std::string_view kind = "sample_blocks";
  static constexpr std::string_view summary = "contiguous shards of samples of given sizes";
  static constexpr PartitionTraits traits{.by = PartitionBy::samples};
  static void fields(auto& self, auto& field) {
    field("sizes", self.sizes,
          "number of samples of each agent that holds data, without the server: [100, 50, 50]; 0 only for dual methods",
          at_least(0).required());
  }
};

DataPartition make_partition(const EvenSamplesOptions& options, const PartitionContext& context);
DataPartition make_partition(const ShuffledSamplesOptions& options, const PartitionContext& context);
/// Throws Diagnosed, with all problems, if the sizes do not add up to the samples or are not one for each holder.
DataPartition make_partition(const SampleBlocksOptions& options, const PartitionContext& context);

}  // namespace lagnet
