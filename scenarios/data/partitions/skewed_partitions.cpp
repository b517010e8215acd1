#include "scenarios/data/partitions/skewed_partitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/data/generators/gamma.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

constexpr Round attempts = 1000;
constexpr Index most_labels = 1000;

/// Where `count` things are cut into shares of the symmetric Dirichlet distribution (holders + 1).
std::vector<Index> dirichlet_starts(double concentration, Index count, Index holders, Draws& draws) {
  std::vector<double> logs;
  for (Index h = 0; h < holders; ++h) logs.push_back(log_gamma_draw(concentration, draws));
  const double largest = *std::ranges::max_element(logs);
  std::vector<double> sums{0};  // of the first shares, times a factor
  for (const double log : logs) sums.push_back(sums.back() + std::exp(log - largest));
  std::vector<Index> starts;
  for (const double sum : sums)
    starts.push_back(static_cast<Index>(std::llround(static_cast<double>(count) * (sum / sums.back()))));
  return starts;
}

/// The samples by ascending label, equal labels in random order.
std::vector<Index> label_order(const PartitionContext& context, std::string_view purpose) {
  std::vector<Index> order = random_order(context.samples(), purpose, context.seed);
  std::ranges::stable_sort(order, {}, [&](Index i) { return context.labels[i]; });
  return order;
}

/// Lists of samples, one for each holder, as a partition.
DataPartition joined_shards(const std::vector<std::vector<Index>>& shards) {
  DataPartition partition{.starts = {0}, .order = {}};
  for (const auto& shard : shards) {
    partition.order.insert(partition.order.end(), shard.begin(), shard.end());
    partition.starts.push_back(static_cast<Index>(partition.order.size()));
  }
  return partition;
}

/// One of the most for each holder without samples, of which there are enough.
void fill_empty_shards(std::vector<std::vector<Index>>& shards) {
  for (auto& shard : shards) {
    if (!shard.empty()) continue;
    auto& most = *std::ranges::max_element(shards, {}, &std::vector<Index>::size);
    shard.push_back(most.back());
    most.pop_back();
  }
}

/// Where each label's samples begin among those in the order of labels, and the end.
std::vector<Index> label_starts(const std::vector<Index>& order, const PartitionContext& context) {
  std::vector<Index> starts;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 || context.labels[order[i]] != context.labels[order[i - 1]]) starts.push_back(static_cast<Index>(i));
  starts.push_back(static_cast<Index>(order.size()));
  return starts;
}

/// Where nearly each sample has a label of its own, dealing label by label is dealing at random.
void check_are_classes(const PartitionContext& context, Index labels) {
  constexpr Index few_labels = 20;
  const bool are_whole = std::ranges::all_of(context.labels, [](double label) { return std::trunc(label) == label; });
  const bool are_classes = labels <= few_labels || (are_whole && 2 * labels <= context.samples());
  if (are_classes && labels <= most_labels) return;
  refuse_data(
      std::string(DirichletOptions::kind),
      fmt::format("labels that are classes, at most {}; \"quantiles\": 10 makes ten groups of samples with near "
                  "labels",
                  most_labels),
      fmt::format("{} different labels of {} samples", labels, context.samples()));
}

}  // namespace

DataPartition make_partition(const ByLabelOptions& options, const PartitionContext& context) {
  const std::vector<Index> order = label_order(context, "partition.by_label");
  if (options.shards == 1) return {.starts = even_starts(context.samples(), context.holders), .order = order};
  const Index count = context.holders * options.shards;
  const std::vector<Index> cuts = even_starts(context.samples(), count);
  const std::vector<Index> dealt = random_order(count, "partition.by_label.shards", context.seed);
  std::vector<std::vector<Index>> shards(static_cast<std::size_t>(context.holders));
  for (std::size_t k = 0; k < dealt.size(); ++k) {
    const auto shard = static_cast<std::size_t>(dealt[k]);
    auto& mine = shards[k / static_cast<std::size_t>(options.shards)];
    mine.insert(mine.end(), order.begin() + cuts[shard], order.begin() + cuts[shard + 1]);
  }
  return joined_shards(shards);
}

DataPartition make_partition(const DirichletOptions& options, const PartitionContext& context) {
  const std::vector<Index> order = label_order(context, "partition.dirichlet");
  const std::vector<Index> labels =
      options.quantiles ? even_starts(context.samples(), *options.quantiles) : label_starts(order, context);
  if (!options.quantiles) check_are_classes(context, std::ssize(labels) - 1);
  for (Round attempt = 0; attempt < attempts; ++attempt) {
    Draws draws(context.seed, Purpose{"partition.dirichlet.shares"}, 0, attempt);
    std::vector<std::vector<Index>> shards(static_cast<std::size_t>(context.holders));
    for (std::size_t label = 0; label + 1 < labels.size(); ++label) {
      const Index first = labels[label], count = labels[label + 1] - first;
      const auto cuts = dirichlet_starts(options.concentration, count, context.holders, draws);
      for (std::size_t h = 0; h < shards.size(); ++h)
        shards[h].insert(shards[h].end(), order.begin() + first + cuts[h], order.begin() + first + cuts[h + 1]);
    }
    if (options.fill_empty) fill_empty_shards(shards);
    if (std::ranges::none_of(shards, [](const auto& shard) { return shard.empty(); })) return joined_shards(shards);
  }
  refuse_data(std::string(options.kind),
              "a concentration that leaves no agent without samples, or \"fill_empty\": true, which gives it one",
              fmt::format("{}, with which {} draws did", options.concentration, attempts));
}

DataPartition make_partition(const QuantitySkewOptions& options, const PartitionContext& context) {
  const Index spare = context.samples() - context.holders;  // beyond one for each
  if (spare < 0)
    refuse_data(std::string(options.kind), fmt::format("at least {} samples, one for each agent", context.holders),
                fmt::format("{}", context.samples()));
  Draws draws(context.seed, Purpose{"partition.quantity_skew.shares"});
  DataPartition partition{.starts = dirichlet_starts(options.concentration, spare, context.holders, draws),
                          .order = random_order(context.samples(), "partition.quantity_skew", context.seed)};
  for (std::size_t h = 0; h < partition.starts.size(); ++h) partition.starts[h] += static_cast<Index>(h);
  return partition;
}

}  // namespace lagnet
