#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "scenarios/data/partitions/partition.hpp"
#include "sim/base/options.hpp"

/// Partitions of the rows that make agents differ in their labels or in how much they hold.
namespace lagnet {

/// Samples sorted by label (equal labels in random order), cut into even shards, of which each holder is dealt the same
/// number: with few shards each, few labels each. Source: McMahan, Moore, Ramage, Hampson, Aguera y Arcas,
/// "Communication-efficient learning of deep networks from decentralized data" (2017), section 3, with 2 shards each.
struct ByLabelOptions {
  std::int64_t shards = 1;

  static constexpr std::string_view kind = "by_label";
  static constexpr std::string_view summary =
      "samples sorted by label and cut into shards, the same number for each agent";
  static constexpr PartitionTraits traits{.by = PartitionBy::samples, .needs_labels = true};
  static void fields(auto& self, auto& field) {
    field("shards", self.shards, "number of shards of each agent that holds data, dealt at random; 1: in order",
          within(1, 1000));
  }
};

/// Label skew: for each label, the holders' shares of its samples are a draw of the symmetric Dirichlet distribution.
/// Small concentrations leave few holders with each label, infinite ones would give equal shares. Drawn anew, up to
/// 1000 times, until each holder has a sample, or, with fill_empty, drawn once: then each holder without one gets the
/// last sample of the holder that has most (the first of several). Source: Hsu, Qi, Brown, "Measuring the effects of
/// non-identical data distribution for federated visual classification" (2019); shares per label as Yurochkin et al.
/// (2019).
struct DirichletOptions {
  double concentration = 1;
  std::optional<std::int64_t> quantiles;
  bool fill_empty = false;

  static constexpr std::string_view kind = "dirichlet";
  static constexpr std::string_view summary = "label skew: each label's samples in Dirichlet shares";
  static constexpr PartitionTraits traits{.by = PartitionBy::samples, .needs_labels = true};
  static void fields(auto& self, auto& field) {
    field("concentration", self.concentration, "parameter of the Dirichlet distribution; smaller is more skewed: 0.5",
          within(1e-3, 1e6).required());
    field("quantiles", self.quantiles,
          "number of even groups of the samples by ascending label, which take the part of labels: for labels that are "
          "no classes",
          within(2, 1000));
    field("fill_empty", self.fill_empty,
          "true: the first draw of shares counts, and an agent without samples gets one of the agent with most; false: "
          "shares are drawn anew until each agent has a sample");
  }
};

/// Quantity skew: the holders' shares of the samples, put in a random order first, are a draw of the symmetric
/// Dirichlet distribution; each has one sample at least.
struct QuantitySkewOptions {
  double concentration = 1;

  static constexpr std::string_view kind = "quantity_skew";
  static constexpr std::string_view summary =
      "samples in random order; the agents' shares are drawn from a Dirichlet distribution";
  static constexpr PartitionTraits traits{.by = PartitionBy::samples};
  static void fields(auto& self, auto& field) {
    field("concentration", self.concentration, "parameter of the Dirichlet distribution; smaller is more skewed: 0.5",
          within(1e-3, 1e6).required());
  }
};

DataPartition make_partition(const ByLabelOptions& options, const PartitionContext& context);
/// Throws Diagnosed where labels are no classes (nearly each sample has its own) or more than 1000, unless quantiles
/// make groups of them, and where a holder stays without a sample.
DataPartition make_partition(const DirichletOptions& options, const PartitionContext& context);
/// Throws Diagnosed where there are fewer samples than holders.
DataPartition make_partition(const QuantitySkewOptions& options, const PartitionContext& context);

}  // namespace lagnet
