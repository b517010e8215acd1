#pragma once

#include <cstdint>
#include <vector>

#include "topologies/topology.hpp"

namespace lagnet {

/// An edge from agent numbers as loops compute them; both must be agents.
inline Edge edge_between(std::int64_t from, std::int64_t to) {
  return {static_cast<AgentId>(from), static_cast<AgentId>(to)};
}

/// The edges without self loops and repetitions, which wrapping around a short dimension makes. Weights become 1.
std::vector<Edge> simple_edges(std::vector<Edge> edges);

/// Appends an edge between any two of the agents first .. first + count - 1.
void append_clique(std::vector<Edge>& edges, std::int64_t first, std::int64_t count);

}  // namespace lagnet
