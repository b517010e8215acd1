#include "topologies/generators/elementary.hpp"

#include <utility>
#include <vector>

#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

Topology make_topology(const CompleteOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  append_clique(edges, 0, options.agents);
  return Topology(options.agents, std::move(edges));
}

Topology make_topology(const StarOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (std::int64_t i = 0; i < options.agents; ++i) {
    if (i != options.center) edges.push_back(edge_between(options.center, i));
  }
  return Topology(options.agents, std::move(edges));
}

Topology make_topology(const RingOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (std::int64_t i = 0; i < options.agents; ++i) edges.push_back(edge_between(i, (i + 1) % options.agents));
  return Topology(options.agents, simple_edges(std::move(edges)));
}

Topology make_topology(const PathOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (std::int64_t i = 1; i < options.agents; ++i) edges.push_back(edge_between(i - 1, i));
  return Topology(options.agents, std::move(edges));
}

Topology make_topology(const BinaryTreeOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (std::int64_t i = 1; i < options.agents; ++i) edges.push_back(edge_between((i - 1) / 2, i));
  return Topology(options.agents, std::move(edges));
}

Topology make_topology(const ExponentialOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (std::int64_t distance = 1; distance < options.agents; distance *= 2) {
    for (std::int64_t i = 0; i < options.agents; ++i) {
      edges.push_back(edge_between(i, (i + distance) % options.agents));
    }
  }
  return Topology(options.agents, simple_edges(std::move(edges)));
}

Topology make_topology(const HypercubeOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (std::int64_t i = 0; i < options.agents; ++i) {
    for (std::int64_t digit = 1; digit < options.agents; digit *= 2) {
      if ((i & digit) == 0) edges.push_back(edge_between(i, i | digit));
    }
  }
  return Topology(options.agents, std::move(edges));
}

}  // namespace lagnet
