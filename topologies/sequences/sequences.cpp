#include "topologies/sequences/sequences.hpp"

#include <utility>
#include <vector>

#include "topologies/digraphs/digraphs.hpp"
#include "topologies/generators/elementary.hpp"
#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"
#include "topologies/sequences/base_graph.hpp"

namespace lagnet {

GraphSequence make_sequence(const OnePeerExponentialOptions& options) {
  check_options(options);
  GraphSequence made{.graphs = {}, .weights = SequenceWeights::even};
  for (std::int64_t ahead = 1; ahead < options.agents; ahead *= 2) {
    std::vector<Edge> arcs;
    for (std::int64_t i = 0; i < options.agents; ++i) arcs.push_back(edge_between(i, (i + ahead) % options.agents));
    made.graphs.push_back(Topology::of_arcs(options.agents, std::move(arcs)));
  }
  return made;
}

GraphSequence make_sequence(const HypercubeMatchingsOptions& options) {
  check_options(options);
  GraphSequence made{.graphs = {}, .weights = SequenceWeights::even};
  for (std::int64_t bit = 1; bit < options.agents; bit *= 2) {
    std::vector<Edge> edges;
    for (std::int64_t i = 0; i < options.agents; ++i)
      if ((i & bit) == 0) edges.push_back(edge_between(i, i | bit));
    made.graphs.emplace_back(options.agents, std::move(edges));
  }
  return made;
}

GraphSequence make_sequence(const BaseGraphOptions& options) {
  check_options(options);
  return {.graphs = base_graph_rounds(options.agents, options.k), .weights = SequenceWeights::of_edges};
}

GraphSequence make_sequence(const EpidemicOptions& options) {
  check_options(options);
  return {.graphs = {},
          .weights = SequenceWeights::even,
          .drawn = DrawnGraphs{.out = options.s, .is_balanced = options.oracle}};
}

Topology make_topology(const OnePeerExponentialOptions& options, std::uint64_t seed) {
  check_options(options);
  return make_topology(DirectedExponentialOptions{.agents = options.agents}, seed);
}

Topology make_topology(const HypercubeMatchingsOptions& options, std::uint64_t seed) {
  check_options(options);
  return make_topology(HypercubeOptions{.agents = options.agents}, seed);
}

Topology make_topology(const BaseGraphOptions& options, std::uint64_t) { return make_sequence(options).plain_union(); }

Topology make_topology(const EpidemicOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> arcs;
  for (std::int64_t i = 0; i < options.agents; ++i)
    for (std::int64_t j = 0; j < options.agents; ++j)
      if (i != j) arcs.push_back(edge_between(i, j));
  return Topology::of_arcs(options.agents, std::move(arcs));
}

}  // namespace lagnet
