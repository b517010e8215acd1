#include "scenarios/design/underlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "scenarios/files/csv_records.hpp"
#include "topologies/generators/graphml.hpp"
#include "topologies/graph_notes.hpp"
#include "topologies/structure.hpp"

namespace lagnet {

namespace {

/// The latency of each edge as its weight.
class LatencyGraph {
 public:
  LatencyGraph(const Topology& underlay, std::string file, LatencyFrom from)
      : underlay_(underlay), file_(std::move(file)), from_(from) {
    for (const LinkNote& link : underlay.notes().links) noted_[{link.from, link.to}] = *link.latency_ms;
  }

  Topology made() {
    std::vector<Edge> edges(underlay_.edges().begin(), underlay_.edges().end());
    for (Edge& edge : edges) {
      const std::optional<double> ms = latency(edge);
      if (!ms)
        problems_.push_back(
            {fmt::format("{}: edge ({},{})", file_, underlay_.name_of(edge.from), underlay_.name_of(edge.to)),
             from_ == LatencyFrom::distance ? "Latitude and Longitude of both nodes"
                                            : "a latency: latency_ms, rtt_ms or another name that topologies know",
             "none"});
      constexpr double least_ms = 1e-6;  // weights are above 0, and times whole nanoseconds
      edge.weight = std::max(ms.value_or(1), least_ms);
    }
    if (!problems_.empty()) throw Diagnosed(std::move(problems_));
    return Topology(underlay_.agents(), std::move(edges));
  }

 private:
  std::optional<double> latency(const Edge& edge) const {
    if (from_ == LatencyFrom::distance) {
      const auto& places = underlay_.notes().places;
      if (places.empty() || !places[edge.from] || !places[edge.to]) return std::nullopt;
      return latency_of_distance_ms(*places[edge.from], *places[edge.to]);
    }
    if (underlay_.notes().has_weights) return edge.weight;
    const auto found = noted_.find({edge.from, edge.to});
    return found == noted_.end() ? std::nullopt : std::optional(found->second);
  }

  const Topology& underlay_;
  std::string file_;
  LatencyFrom from_;
  std::map<std::pair<AgentId, AgentId>, double> noted_;
  std::vector<Diagnostic> problems_;
};

/// The routers of an underlay know latencies alone: what its file says of bandwidths is not used.
Topology read_underlay(const std::filesystem::path& file, EdgeUse use) {
  use.bandwidths = false;
  GraphmlOptions options;
  options.path = file;
  options.parallel_edges = ParallelEdges::merge;
  options.use = use;
  return make_topology(options, 1);
}

}  // namespace

RoutedLatencies routed_latencies(const std::filesystem::path& underlay, LatencyFrom from) {
  const bool by_edges = from == LatencyFrom::edges;
  Topology graph = read_underlay(underlay, {.weights = false, .latencies = by_edges});
  const bool may_be_by_weight = by_edges && graph.notes().links.empty();
  if (may_be_by_weight) graph = read_underlay(underlay, {.latencies = false});
  RoutedLatencies routed{.table = "latency_ms", .warnings = graph.notes().remarks};
  if (may_be_by_weight && graph.notes().has_weights)
    routed.warnings.push_back(
        {"weight_read_as_latency",
         {},
         fmt::format("{}: weight was read as a latency in ms, since no edge has another one; latency_ms says so",
                     underlay.string())});
  const Matrix ms = route_lengths(LatencyGraph(graph, underlay.string(), from).made());
  std::vector<std::string> line{routed.table};
  for (AgentId site = 0; site < graph.agents(); ++site) line.push_back(graph.name_of(site));
  routed.table = csv_line(line);
  for (AgentId site = 0; site < graph.agents(); ++site) {
    line = {graph.name_of(site)};
    for (Index to = 0; to < ms.cols(); ++to) line.push_back(fmt::format("{}", ms(site, to)));
    routed.table += csv_line(line);
  }
  return routed;
}

}  // namespace lagnet
