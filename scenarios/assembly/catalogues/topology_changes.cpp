#include <fmt/format.h>
#include <utility>

#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "sim/base/draws.hpp"
#include "topologies/graph_union.hpp"

namespace lagnet {

namespace {

constexpr const char* changes_place = "/topology/changes";

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
  GraphUnion all(base);
  std::vector<FromThen> graphs{{Time(), copied(base.edges())}};
  for (std::size_t i = 0; i < options.graphs.size(); ++i) {
    const LaterGraphOptions& later = options.graphs[i];
    const std::string place = fmt::format("{}/graphs/{}/topology", changes_place, i);
    // Random graphs of the same options are others at other times.
    const std::uint64_t seed = Draws(context.seed, Purpose{"later_graph"}, static_cast<AgentId>(i)).bits();
    collect_diagnostics(context.diagnostics, place, [&] {
      const Topology graph = later.topology.make().make(seed);
      for (const Diagnostic& problem : all.add(graph)) context.diagnostics.add(place, problem.expected, problem.found);
      graphs.push_back({Time() + Duration::seconds(later.from_s), copied(graph.edges())});
    });
  }
  const Duration period = options.repeat_s ? Duration::seconds(*options.repeat_s) : Duration();
  return {all.topology(), [graphs, period](const Network& network) { return timed_graphs(graphs, period, network); }};
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
