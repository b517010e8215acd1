#include "topologies/generators/barabasi_albert.hpp"

#include <algorithm>

#include "topologies/generators/connected_draw.hpp"
#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

namespace {

std::vector<Edge> preferential_attachment(const BarabasiAlbertOptions& options, Draws& draws) {
  const std::int64_t brought = options.edges_per_agent;
  std::vector<Edge> edges;
  std::vector<AgentId> ends;  // each agent once per neighbor, so that a uniform draw is one in proportion to degree
  std::vector<AgentId> chosen;
  for (std::int64_t i = brought; i < options.agents; ++i) {
    chosen.clear();
    for (std::int64_t k = 0; k < brought; ++k) {
      AgentId other = static_cast<AgentId>(k);  // the first one to join meets agents of degree 0 and takes them all
      if (i > brought) {
        do {
          other = ends[draws.below(ends.size())];
        } while (std::find(chosen.begin(), chosen.end(), other) != chosen.end());
      }
      chosen.push_back(other);
    }
    for (const AgentId other : chosen) {
      edges.push_back(edge_between(other, i));
      ends.push_back(other);
      ends.push_back(static_cast<AgentId>(i));
    }
  }
  return edges;
}

}  // namespace

Topology make_topology(const BarabasiAlbertOptions& options, std::uint64_t seed) {
  check_options(options);
  Draws draws(seed, topology_purpose);
  return Topology(options.agents, preferential_attachment(options, draws));
}

}  // namespace lagnet
