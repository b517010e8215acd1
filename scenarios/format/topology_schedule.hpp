#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/format/registry.hpp"
#include "scenarios/json/fields.hpp"
#include "sim/world/topology_schedule.hpp"
#include "topologies/topology.hpp"

/// Topologies that change in the course of a run: the kinds of `changes`, a key of the section "topology".
namespace lagnet {

/// A graph beside the scenario's own topology: the same kinds, without changes of their own.
struct GraphFamily {
  static constexpr std::string_view key = "kind", called = "graph";
  static const Catalogue<Topology, std::uint64_t>& catalogue() { return TopologyFamily::catalogue(); }
};

struct LaterGraphOptions {
  double from_s = 0;
  Choice<GraphFamily> topology;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("from_s", self.from_s, "rounds that begin from this moment on run on it, in s: 10",
          Limits{.low = 0, .high = 9e9, .low_excluded = true, .is_required = true});
    field("topology", self.topology,
          "the graph, with as many agents, connected or not: {\"kind\": \"edge_list\", \"path\": \"later.csv\"}",
          any_value().required());
  }
};

struct GraphsOptions {
  static constexpr std::string_view kind = "graphs";
  static constexpr std::string_view summary =
      "other graphs at given times, the topology itself until the first of them";
  std::vector<LaterGraphOptions> graphs;
  std::optional<double> repeat_s;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("graphs", self.graphs,
          "by ascending times: [{\"from_s\": 10, \"topology\": {\"kind\": \"star\", \"agents\": 9}}]; links, latencies "
          "and an algorithm's constants are those of all graphs together, which must be connected",
          any_value().required());
    field("repeat_s", self.repeat_s,
          "after so many seconds all begins anew with the topology itself; null: the last graph stays; example: 20",
          Limits{.low = 0, .high = 9e9, .low_excluded = true});
  }
  template <class Report>
  void check(Report& report) const;
};

struct RandomMatchingsOptions {
  static constexpr std::string_view kind = "random_matchings";
  static constexpr std::string_view summary =
      "each round on a random maximal matching of the topology: an agent talks with one neighbor or none";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&) {}
};

struct RandomEdgesOptions {
  static constexpr std::string_view kind = "random_edges";
  static constexpr std::string_view summary = "each round on random edges of the topology, each drawn on its own";
  double probability = 1;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("probability", self.probability, "that a round has an edge, in both directions: 0.5",
          Limits{.low = 0, .high = 1, .low_excluded = true, .is_required = true});
  }
};

using MadeSchedule = std::shared_ptr<const TopologySchedule>;

/// A scenario's topology with all that it may become.
struct MadeTopology {
  Topology all;                                         // every edge of any round
  std::function<MadeSchedule(const Network&)> changes;  // over its links; empty if there are none
};

/// What a maker of changes needs besides its options.
struct ChangeContext {
  const Topology& topology;
  std::uint64_t seed;
  Problems& problems;  // takes what is wrong, below /topology/changes
};

MadeTopology make_changes(const GraphsOptions& options, const ChangeContext& context);
MadeTopology make_changes(const RandomMatchingsOptions& options, const ChangeContext& context);
MadeTopology make_changes(const RandomEdgesOptions& options, const ChangeContext& context);

/// The scenario's topology and its changes. Adds what is wrong to the problems: graphs that cannot be made, that have
/// another number of agents or another weight on an edge than those before, or are not connected all together. What is
/// then made is of no use. Throws what making the topology itself throws.
MadeTopology make_changing_topology(const Choice<TopologyFamily>& topology, std::uint64_t seed, Problems& problems);

template <class Report>
void GraphsOptions::check(Report& report) const {
  if (graphs.empty()) report("graphs", "the list of at least one graph", graphs);
  Duration before;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const Duration from = Duration::seconds(graphs[i].from_s);
    if (from <= before)
      report("graphs/" + std::to_string(i) + "/from_s", "a time after that of the graph before", graphs[i].from_s);
    before = from;
  }
  if (repeat_s && Duration::seconds(*repeat_s) <= before)
    report("repeat_s", "more than from_s of the last graph", *repeat_s);
}

}  // namespace lagnet
