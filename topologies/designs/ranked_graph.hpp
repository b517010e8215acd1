#pragma once

#include <boost/graph/adjacency_matrix.hpp>
#include <cstdint>

#include "topologies/designs/delays.hpp"

namespace lagnet {

/// The complete graph for Boost's algorithms. A link's weight is its place among all of them from the shortest on:
/// what is least by these places is least by the delays, and there is one such tree, whatever order an algorithm takes
/// links in.
using RankedGraph = boost::adjacency_matrix<boost::undirectedS, boost::no_property,
                                            boost::property<boost::edge_weight_t, std::int64_t>>;

inline RankedGraph ranked_graph(const Delays& delays) {
  RankedGraph graph(static_cast<std::size_t>(delays.agents()));
  std::int64_t rank = 0;
  for (const auto& [i, j] : delays.ascending_pairs()) boost::add_edge(i, j, ++rank, graph);
  return graph;
}

}  // namespace lagnet
