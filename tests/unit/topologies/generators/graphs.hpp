#pragma once

#include <cstdint>
#include <vector>

#include "topologies/generators/families.hpp"

/// Graphs and options of families, written shortly for tests.
namespace lagnet {

inline std::vector<Edge> edges_of(const Topology& topology) {
  return {topology.edges().begin(), topology.edges().end()};
}

inline std::size_t edge_count(const Topology& topology) { return topology.edges().size(); }

/// The family's graph of that many agents, its other options as they are by default.
template <class Options>
Topology with_agents(std::int64_t agents) {
  Options options;
  options.agents = agents;
  return make_topology(options, 1);
}

inline ErdosRenyiOptions erdos_renyi(std::int64_t agents, double probability) {
  ErdosRenyiOptions options;
  options.agents = agents;
  options.probability = probability;
  return options;
}

inline RandomGeometricOptions geometric(std::int64_t agents, double radius) {
  RandomGeometricOptions options;
  options.agents = agents;
  options.radius = radius;
  return options;
}

inline RandomRegularOptions regular(std::int64_t agents, std::int64_t degree) {
  RandomRegularOptions options;
  options.agents = agents;
  options.degree = degree;
  return options;
}

inline WattsStrogatzOptions small_world(std::int64_t agents, std::int64_t degree, double rewiring) {
  WattsStrogatzOptions options;
  options.agents = agents;
  options.degree = degree;
  options.rewiring = rewiring;
  return options;
}

inline BarabasiAlbertOptions attachment(std::int64_t agents, std::int64_t edges_per_agent) {
  BarabasiAlbertOptions options;
  options.agents = agents;
  options.edges_per_agent = edges_per_agent;
  return options;
}

}  // namespace lagnet
