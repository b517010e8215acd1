#include "scenarios/assembly/partition_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "scenarios/data/storage.hpp"
#include "scenarios/words/words.hpp"
#include "topologies/generators/elementary.hpp"

namespace lagnet {

namespace {

std::string_view name_of(PartitionBy by) {
  if (by == PartitionBy::cells) return "cells";
  return by == PartitionBy::samples ? "samples" : "features";
}

std::string kinds_of(PartitionBy by) {
  std::vector<std::string> kinds;
  for (const auto& entry : PartitionFamily::catalogue().entries())
    if (entry->make(entry->defaults().get()).traits.by == by) kinds.emplace_back(entry->kind);
  return comma_list(kinds);
}

/// "agent 3", "agent 3 and 2 others"
std::string first_agents(const std::vector<AgentId>& agents) {
  std::string text = fmt::format("agent {}", agents.front());
  if (agents.size() > 1) text += " and " + counted(agents.size() - 1, "other");
  return text;
}

}  // namespace

bool check_partition(const AlgorithmTraits& traits, const Choice<PartitionFamily>& partition, const Problem& problem,
                     Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.count();
  const MadePartition made = partition.make();
  if (made.traits.by != traits.partition_by)
    diagnostics.add("/partition/kind",
                    fmt::format("a partition of {} ({})", name_of(traits.partition_by), kinds_of(traits.partition_by)),
                    std::string(partition.kind()));
  if (traits.partition_by != PartitionBy::features && problem.samples != problem.X->rows())
    diagnostics.add("/data",
                    fmt::format("data with one row for each sample, for an algorithm that divides the {}",
                                name_of(traits.partition_by)),
                    fmt::format("{} rows that stand for {} samples", problem.X->rows(), problem.samples));
  if (traits.partition_by != PartitionBy::samples && problem.loss->outputs() > 1)
    diagnostics.add(
        "/problem/loss/kind",
        fmt::format("a loss of one score a sample, for an algorithm that divides the {}", name_of(traits.partition_by)),
        std::string(problem.loss->kind()));
  if (traits.partition_by == PartitionBy::features && !problem.regularizer->is_separable())
    diagnostics.add("/problem/regularizer/kind",
                    "a regularizer that is a sum over coefficients, for an algorithm that divides them",
                    "one that is not");
  if (made.traits.needs_labels && !problem.X->has_numbers())
    diagnostics.add("/partition/kind", "a partition that needs no labels, which generated data lack with numerics off",
                    std::string(partition.kind()));
  return diagnostics.count() == before;
}

bool check_server(const AlgorithmTraits& traits, const Topology& topology, const Participation* participation,
                  Diagnostics& diagnostics) {
  if (!traits.server) return true;
  const std::size_t before = diagnostics.count();
  if (topology.agents() < 2)
    diagnostics.add("/topology", "at least 2 agents, a server and a client", fmt::format("{}", topology.agents()));
  const auto clients = topology.neighbors(server_agent);
  std::vector<AgentId> strangers;
  for (AgentId a = 0; a < topology.agents(); ++a)
    if (a != server_agent && !std::ranges::binary_search(clients, a)) strangers.push_back(a);
  if (!strangers.empty())
    diagnostics.add("/topology", fmt::format("a link from the server, agent {}, to each other agent", server_agent),
                    fmt::format("none to {}; a {} around agent {} has all of them", first_agents(strangers),
                                StarOptions::kind, server_agent));
  if (diagnostics.count() == before && participation)
    for (const Diagnostic& one : participation->diagnostics(clients))
      diagnostics.add("/participation/clients/" + one.where, one.expected, one.found);
  return diagnostics.count() == before;
}

DataPartition partition_data(const Choice<PartitionFamily>& partition, const AlgorithmTraits& traits,
                             const DataSet& data, Index agents, std::uint64_t seed, Problem& problem,
                             Diagnostics& diagnostics) {
  const PartitionContext context{.features = data.X.cols(),
                                 .labels = VectorView(data.y.data(), data.y.size()),
                                 .holders = traits.agents_with_data(agents),
                                 .seed = seed,
                                 .unlabeled = data.X.has_numbers() ? 0 : data.X.rows(),
                                 .X = &data.X};
  DataPartition made = partition.make().make(context);
  const bool of_samples = traits.partition_by == PartitionBy::samples;
  if (of_samples) {
    std::vector<AgentId> empty;
    for (Index h = 0; h < made.holders(); ++h)
      if (made.size(h) == 0) empty.push_back(static_cast<AgentId>(h + agents - made.holders()));
    if (!empty.empty() && (!traits.takes_empty_shards || made.holders() > data.X.rows()))
      diagnostics.add("/partition", "at least one sample for each agent that holds data",
                      "none for " + first_agents(empty));
  }
  if (made.order.empty()) return made;
  problem.X =
      std::make_shared<const DataMatrix>(of_samples ? selected_rows(data.X, made.order) : data.X.columns(made.order));
  if (of_samples && data.X.has_numbers()) problem.y = data.y(made.order);
  return made;
}

std::vector<Index> starts_by_agent(const DataPartition& partition, const AlgorithmTraits& traits) {
  std::vector<Index> starts = partition.starts;
  if (traits.partition_by == PartitionBy::cells) return starts;
  static_assert(server_agent == 0);
  if (traits.server) starts.insert(starts.begin(), 0);
  return starts;
}

}  // namespace lagnet
