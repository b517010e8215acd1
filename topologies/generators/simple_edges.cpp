#include "topologies/generators/simple_edges.hpp"

#include <algorithm>
#include <utility>

namespace lagnet {

std::vector<Edge> simple_edges(std::vector<Edge> edges) {
  std::erase_if(edges, [](const Edge& edge) { return edge.from == edge.to; });
  for (Edge& edge : edges) edge = {std::min(edge.from, edge.to), std::max(edge.from, edge.to)};
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

void append_clique(std::vector<Edge>& edges, std::int64_t first, std::int64_t count) {
  for (std::int64_t i = first; i < first + count; ++i) {
    for (std::int64_t j = i + 1; j < first + count; ++j) edges.push_back(edge_between(i, j));
  }
}

}  // namespace lagnet
