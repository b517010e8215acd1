#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/data/partitions/partition.hpp"
#include "sim/base/options.hpp"

/// Partitions of the cells (sample, feature): each client has some features of some samples. Source: T. Overman, G.
/// Blum, D. Klabjan, "A primal-dual algorithm for hybrid federated learning", arXiv:2210.08106v3, section 7. Each needs
/// the context's X, and throws Diagnosed, with all problems, if it does not divide these data among these clients.
namespace lagnet {

/// K contiguous groups of samples x Q contiguous groups of features; the c-th client, from 0, has sample group c div Q
/// and feature group c mod Q. Of n things in g groups the first n mod g are one longer: even_starts().
struct BlocksOptions {
  std::optional<std::int64_t> sample_groups;
  std::int64_t feature_groups = 1;

  static constexpr std::string_view kind = "blocks";
  static constexpr std::string_view summary = "groups of samples x groups of features, contiguous and even";
  static constexpr PartitionTraits traits{.by = PartitionBy::cells};
  static void fields(auto& self, auto& field) {
    field("sample_groups", self.sample_groups,
          "K; 1: clients differ only in features; null: number of clients divided by Q", at_least(1));
    field("feature_groups", self.feature_groups, "Q; 1: clients differ only in samples", at_least(1));
  }
};

/// K contiguous groups of samples; in each, a sample's non-zeros in ascending order of features are cut into Q
/// consecutive chunks, the first nnz mod Q one longer. All Q clients of a group hold every sample of it, even where
/// their chunk is empty.
struct NonzeroChunksOptions {
  std::optional<std::int64_t> sample_groups;
  std::int64_t chunks = 1;

  static constexpr std::string_view kind = "nonzero_chunks";
  static constexpr std::string_view summary = "groups of samples; each client has a part of its group's non-zeros";
  static constexpr PartitionTraits traits{.by = PartitionBy::cells};
  static void fields(auto& self, auto& field) {
    field("sample_groups", self.sample_groups, "K; null: number of clients divided by Q", at_least(1));
    field("chunks", self.chunks, "Q, number of parts that a sample's non-zeros are divided into",
          at_least(1).required());
  }
};

/// Images of width x height pixels, row by row. The c-th of nc clients, from 0, has quadrant floor(4 c / nc): upper
/// left, upper right, lower left, lower right. The clients of one quadrant have contiguous even groups of the samples.
/// Features after the last pixel, as an intercept, belong to the fourth quadrant.
struct QuadrantsOptions {
  std::optional<std::int64_t> width;
  std::optional<std::int64_t> height;

  static constexpr std::string_view kind = "quadrants";
  static constexpr std::string_view summary =
      "quadrants of images; each client has one quadrant of a part of the samples";
  static constexpr PartitionTraits traits{.by = PartitionBy::cells};
  static void fields(auto& self, auto& field) {
    field("width", self.width, "width of an image, in pixels; null: that of the largest square that fits the features",
          at_least(2));
    field("height", self.height, "height of an image, in pixels; null: the width", at_least(2));
  }
};

/// Samples and features of each client, listed.
struct CellListsOptions {
  std::vector<std::vector<std::int64_t>> samples;
  std::vector<std::vector<std::int64_t>> features;

  static constexpr std::string_view kind = "cell_lists";
  static constexpr std::string_view summary = "samples and features of each client, listed";
  static constexpr PartitionTraits traits{.by = PartitionBy::cells};
  static void fields(auto& self, auto& field) {
    field("samples", self.samples, "for each client a list of samples, from 0", at_least(0).required());
    field("features", self.features, "for each client a list of features, from 0, that it holds of each of its samples",
          at_least(0).required());
  }
};

DataPartition make_partition(const BlocksOptions& options, const PartitionContext& context);
DataPartition make_partition(const NonzeroChunksOptions& options, const PartitionContext& context);
DataPartition make_partition(const QuadrantsOptions& options, const PartitionContext& context);
DataPartition make_partition(const CellListsOptions& options, const PartitionContext& context);

}  // namespace lagnet
