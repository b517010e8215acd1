#include <fmt/format.h>
#include <map>
#include <utility>

#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

constexpr const char* changes_place = "/topology/changes";

using Ends = std::pair<AgentId, AgentId>;

/// The edges of several graphs over the same agents, each once.
class AllEdges {
 public:
  explicit AllEdges(const Topology& first) : agents_(first.agents()) {
    for (const Edge& edge : first.edges()) weights_.emplace(Ends{edge.from, edge.to}, edge.weight);
  }

  void add(const Topology& graph, const std::string& place, Diagnostics& diagnostics) {
    if (graph.is_directed()) return diagnostics.add(place, "a graph whose links go both ways", "a directed one");
    if (graph.agents() != agents_)
      return diagnostics.add(place, fmt::format("{} agents, as many as the topology has", agents_),
                             fmt::format("{}", graph.agents()));
    for (const Edge& edge : graph.edges()) {
      const auto [known, is_new] = weights_.emplace(Ends{edge.from, edge.to}, edge.weight);
      if (!is_new && known->second != edge.weight)
        diagnostics.add(place, fmt::format("weight {} for edge ({},{}), as before", known->second, edge.from, edge.to),
                        fmt::format("{}", edge.weight));
    }
  }

  std::vector<Edge> list() const {
    std::vector<Edge> edges;
    for (const auto& [ends, weight] : weights_) edges.push_back({ends.first, ends.second, weight});
    return edges;
  }

 private:
  std::int64_t agents_;
  std::map<Ends, double> weights_;
};

struct FromThen {
  Time from;
  std::vector<Edge> edges;
};

MadeSchedule timed_graphs(const std::vector<FromThen>& graphs, Duration period, const Network& network) {
  std::vector<TimedGraphs::Graph> timed;
  for (const FromThen& graph : graphs) {
    std::vector<bool> active(network.links());
    for (const Edge& edge : graph.edges)
      active[network.find(edge.from, edge.to)] = active[network.find(edge.to, edge.from)] = true;
    timed.push_back({graph.from, std::move(active)});
  }
  return std::make_shared<TimedGraphs>(std::move(timed), period);
}

std::vector<Edge> copied(std::span<const Edge> edges) { return {edges.begin(), edges.end()}; }

MadeTopology make_changes(const GraphsOptions& options, const ChangeContext& context) {
  const Topology& base = context.topology;
  AllEdges all(base);
  std::vector<FromThen> graphs{{Time(), copied(base.edges())}};
  for (std::size_t i = 0; i < options.graphs.size(); ++i) {
    const LaterGraphOptions& later = options.graphs[i];
    const std::string place = fmt::format("{}/graphs/{}/topology", changes_place, i);
    // Random graphs of the same options are others at other times.
    const std::uint64_t seed = Draws(context.seed, Purpose{"later_graph"}, static_cast<AgentId>(i)).bits();
    collect_diagnostics(context.diagnostics, place, [&] {
      const Topology graph = later.topology.make().make(seed);
      all.add(graph, place, context.diagnostics);
      graphs.push_back({Time() + Duration::seconds(later.from_s), copied(graph.edges())});
    });
  }
  const Duration period = options.repeat_s ? Duration::seconds(*options.repeat_s) : Duration();
  const auto positions = base.positions();
  return {Topology(base.agents(), all.list(), {positions.begin(), positions.end()}, base.tries()),
          [graphs, period](const Network& network) { return timed_graphs(graphs, period, network); }};
}

MadeTopology make_changes(const RandomMatchingsOptions&, const ChangeContext& context) {
  return {context.topology,
          [seed = context.seed](const Network& network) { return std::make_shared<RandomMatchings>(network, seed); }};
}

MadeTopology make_changes(const RandomEdgesOptions& options, const ChangeContext& context) {
  return {context.topology, [probability = options.probability, seed = context.seed](const Network& network) {
            return std::make_shared<RandomEdges>(network, probability, seed);
          }};
}

}  // namespace

// One line a kind, which clang-format would fill up.
// clang-format off
const Catalogue<MadeTopology, const ChangeContext&>& TopologyChangeFamily::catalogue() {
  static const auto all = Catalogue<MadeTopology, const ChangeContext&>::of<
      GraphsOptions,
      RandomMatchingsOptions,
      RandomEdgesOptions>([](const auto& options, const ChangeContext& context) {
    return make_changes(options, context);
  });
  return all;
}
// clang-format on

}  // namespace lagnet
