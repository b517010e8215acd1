#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/json/choice.hpp"
#include "sim/base/types.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/gossip.hpp"
#include "topologies/topology.hpp"

/// The section "topology": the keys that all topologies have, and the kinds of `changes` for topologies that change
/// during a run. The options of the generators are in topologies/generators.
namespace lagnet {

struct MadeTopology;
struct ChangeContext;
struct GraphSequence;

struct TopologyChangeFamily {
  static constexpr std::string_view key = "kind", called = "change of topology";
  static const Catalogue<MadeTopology, const ChangeContext&>& catalogue();
};

/// How the gossip matrix comes about: by a rule, "metropolis", or from a file, {"path": "W.csv"}. It reads itself.
struct GossipOptions {
  GossipWeights weights = GossipWeights::lazy_metropolis;
  std::filesystem::path path = {};  // empty: by the rule

  bool has_value() const { return true; }
  void read(const Json& value, const std::string& pointer, Diagnostics& diagnostics);
  Json write() const;
  static Json schema(SchemaBuilder& builder);
  static std::string type_words();
  static void change_paths(Json& value, const PathChange& change);
};

/// The keys that all topologies have.
struct TopologyCommon {
  std::optional<Choice<TopologyChangeFamily>> changes;
  GossipOptions gossip;
  static void fields(auto& self, auto& field) {
    field("changes", self.changes,
          "how the graph changes from round to round, given by kind; an agent exchanges only with the neighbors of the "
          "round, and messages over other links are lost; null: every round has every link; example: {\"kind\": "
          "\"random_matchings\"}");
    field(
        "gossip", self.gossip,
        "the gossip matrix W of algorithms that mix with it: from the degrees; weights, from the weights of the edges, "
        "W_ij = w_ij / (1 + max(v_i, v_j)), v_i being the sum of those of agent i; or your own, {\"path\": \"W.csv\"}: "
        "m lines of m numbers, or a line from,to,weight and the entries above 0; it must be symmetric, with rows that "
        "add up to 1 and entries only at edges");
  }
};

/// A graph that can be made.
struct GraphSource {
  GraphSize size;
  std::function<Topology(std::uint64_t seed)> make;
  /// Of a kind that has graphs in turn: those, while `make` gives every edge of any. Problems go to the diagnostics.
  std::function<GraphSequence(std::uint64_t seed, Diagnostics& diagnostics)> sequence = {};
};

struct TopologyFamily {
  static constexpr std::string_view key = "kind", called = "topology";
  using Common = TopologyCommon;
  static const Catalogue<GraphSource>& catalogue();
};

/// A further graph in addition to the scenario's topology, or one of a sequence: of the same kinds but
/// those of digraphs and sequences, without `changes`.
struct GraphFamily {
  static constexpr std::string_view key = "kind", called = "graph";
  static const Catalogue<GraphSource>& catalogue();
};

enum class ConnectedGraphs { each, all_together };
constexpr auto spellings(ConnectedGraphs) {
  return std::array{Spelling{ConnectedGraphs::each, "each"}, Spelling{ConnectedGraphs::all_together, "union"}};
}
enum class TurnWeights { of_union, of_round };
constexpr auto spellings(TurnWeights) {
  return std::array{Spelling{TurnWeights::of_union, "union"}, Spelling{TurnWeights::of_round, "round"}};
}

/// The topology that consists of several graphs.
struct SequenceOptions {
  static constexpr std::string_view kind = "sequence";
  static constexpr std::string_view summary = "several graphs in turn, each for some rounds";
  std::vector<Choice<GraphFamily>> graphs;
  std::int64_t rounds_each = 1;
  ConnectedGraphs connected = ConnectedGraphs::each;
  TurnWeights weights = TurnWeights::of_union;
  static void fields(auto& self, auto& field) {
    field("graphs", self.graphs,
          "all with the same number of agents: [{\"kind\": \"ring\", \"agents\": 6}, {\"kind\": "
          "\"star\", \"agents\": 6}]; links, latencies and, as a rule, an algorithm's constants are those of the union "
          "of all graphs",
          any_value().required());
    field("rounds_each", self.rounds_each, "rounds on each graph before the next one", at_least(1));
    field("connected", self.connected,
          "which graphs must be connected: each, or their union alone; few methods run on the latter: dgd, "
          "gradient_tracking, nids, gossip_averaging, and those for one-way links");
    field("weights", self.weights,
          "the gossip matrix of a round: union: that of all graphs together, where the weights of neighbors whom the "
          "round's graph lacks go to the own vector; round: that which `gossip` makes of the round's graph alone");
  }
  void check(auto& report) const {
    if (graphs.empty()) report("graphs", "the list of at least one graph", graphs);
  }
  /// Of all of them; a graph that could not be read has none.
  GraphSize size() const;
};

struct OrientOptions {
  static constexpr std::string_view kind = "orient";
  static constexpr std::string_view summary =
      "another topology, some of whose links go one way; redrawn until strongly connected";
  Choice<GraphFamily> of;
  double one_way = 0;
  std::int64_t tries = 100;
  static void fields(auto& self, auto& field) {
    field("of", self.of, "the graph whose links these are: {\"kind\": \"lattice\", \"agents\": 9}",
          any_value().required());
    field("one_way", self.one_way,
          "probability that a link is one-way, with equal chances for each direction; the others go both ways",
          within(0, 1).required());
    field("tries", self.tries, "draws before giving up on a strongly connected digraph", within(1, 1e6));
  }
  GraphSize size() const { return of.has_value() ? of.make().size : GraphSize(); }
};
Topology make_topology(const OrientOptions& options, std::uint64_t seed);

struct LaterGraphOptions {
  double from_s = 0;
  Choice<GraphFamily> topology;
  static void fields(auto& self, auto& field) {
    field("from_s", self.from_s, "rounds that begin from this time on run on this graph, in s: 10",
          above_to(0, 9e9).required());
    field("topology", self.topology,
          "the graph, with the same number of agents, connected or not: {\"kind\": \"edge_list\", \"path\": "
          "\"later.csv\"}",
          any_value().required());
  }
};

struct GraphsOptions {
  static constexpr std::string_view kind = "graphs";
  static constexpr std::string_view summary =
      "other graphs from given times on; the topology itself before the first of them";
  std::vector<LaterGraphOptions> graphs;
  std::optional<double> repeat_s;
  static void fields(auto& self, auto& field) {
    field("graphs", self.graphs,
          "in ascending order of time: [{\"from_s\": 10, \"topology\": {\"kind\": \"star\", \"agents\": 9}}]; links, "
          "latencies and an algorithm's constants are those of the union of all graphs, which must be connected",
          any_value().required());
    field("repeat_s", self.repeat_s,
          "period, in s, after which the sequence starts again with the topology itself; null: the last graph stays; "
          "example: 20",
          above_to(0, 9e9));
  }
  void check(auto& report) const {
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
};

struct RandomMatchingsOptions : NoOptions {
  static constexpr std::string_view kind = "random_matchings";
  static constexpr std::string_view summary =
      "each round on a random maximal matching of the topology: an agent exchanges with at most one neighbor";
};

struct RandomEdgesOptions {
  static constexpr std::string_view kind = "random_edges";
  static constexpr std::string_view summary = "each round runs on random edges of the topology, drawn independently";
  double probability = 1;
  static void fields(auto& self, auto& field) {
    field("probability", self.probability, "probability that a round has an edge, in both directions: 0.5",
          above_to(0, 1).required());
  }
};

/// Whether all rounds mix with one gossip matrix, that of all edges.
bool mixes_alike(const Choice<TopologyFamily>& topology);

/// The kind of its changes, or its own for graphs in turn; nothing of a topology that stays as it is.
std::optional<std::string_view> change_of(const Choice<TopologyFamily>& topology);

}  // namespace lagnet
