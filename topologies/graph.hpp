#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstddef>

#include "topologies/topology.hpp"

namespace lagnet {

/// Each edge in both directions, each arc in its own: Boost's compressed graphs are directed. Half the memory of an
/// adjacency list, and its neighbors lie side by side.
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, EdgeAttributes,
                                                 boost::no_property, AgentId, std::size_t>;

/// The Boost.Graph types of a Topology. Only sources that call Boost's algorithms read its headers.
struct TopologyGraph {
  Graph graph;
};

inline const Graph& graph_of(const Topology& topology) { return topology.graph().graph; }

}  // namespace lagnet
