#include "topologies/digraphs/circular.hpp"

#include <utility>
#include <vector>

#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

namespace {

/// From each agent to the one so many places ahead.
void append_arcs(std::vector<Edge>& arcs, std::int64_t agents, std::int64_t ahead) {
  for (std::int64_t i = 0; i < agents; ++i) arcs.push_back(edge_between(i, (i + ahead) % agents));
}

}  // namespace

Topology make_topology(const DirectedRingOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> arcs;
  if (options.agents > 1) append_arcs(arcs, options.agents, 1);
  return Topology::of_arcs(options.agents, std::move(arcs));
}

Topology make_topology(const DirectedExponentialOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> arcs;
  for (std::int64_t ahead = 1; ahead < options.agents; ahead *= 2) append_arcs(arcs, options.agents, ahead);
  return Topology::of_arcs(options.agents, std::move(arcs));
}

}  // namespace lagnet
