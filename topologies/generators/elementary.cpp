#include "topologies/generators/elementary.hpp"

#include <cmath>
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

std::int64_t LatticeOptions::side() const {
  const std::int64_t guess = std::llround(std::sqrt(static_cast<double>(*agents)));
  return guess * guess > *agents ? guess - 1 : guess;
}

Topology make_topology(const LatticeOptions& options, std::uint64_t) {
  check_options(options);
  const std::int64_t rows = options.rows ? *options.rows : options.side();
  const std::int64_t columns = options.columns ? *options.columns : options.side();
  const std::int64_t center = options.hub_at_center ? rows / 2 * columns + columns / 2 : 0;
  const auto agent_at = [&](std::int64_t row, std::int64_t column) {
    const std::int64_t cell = row * columns + column;
    if (cell == center) return std::int64_t{0};
    return cell == 0 ? center : cell;
  };
  // Half of the directions: the other half are the same edges seen from their other ends.
  std::vector<std::pair<std::int64_t, std::int64_t>> steps = {{0, 1}, {1, 0}};
  if (options.neighbors == 8) steps.insert(steps.end(), {{1, 1}, {1, -1}});

  std::vector<Edge> edges;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      for (const auto& [down, right] : steps) {
        std::int64_t to_row = row + down, to_column = column + right;
        if (options.torus) {
          to_row = (to_row + rows) % rows;
          to_column = (to_column + columns) % columns;
        }
        if (to_row >= rows || to_column < 0 || to_column >= columns) continue;
        edges.push_back(edge_between(agent_at(row, column), agent_at(to_row, to_column)));
      }
    }
  }
  return Topology(rows * columns, simple_edges(std::move(edges)));
}

Topology make_topology(const BarbellOptions& options, std::uint64_t) {
  check_options(options);
  const std::int64_t second_clique = options.clique_agents + options.path_agents;
  std::vector<Edge> edges;
  append_clique(edges, 0, options.clique_agents);
  append_clique(edges, second_clique, options.clique_agents);
  for (std::int64_t i = options.clique_agents; i <= second_clique; ++i) edges.push_back(edge_between(i - 1, i));
  return Topology(second_clique + options.clique_agents, std::move(edges));
}

Topology make_topology(const TwoLevelTreeOptions& options, std::uint64_t) {
  check_options(options);
  const std::vector<std::int64_t> clients = options.all_clients();
  std::vector<Edge> edges;
  std::int64_t next = 1 + std::ssize(clients);  // the first client of the next edge
  for (std::int64_t l = 1; l <= std::ssize(clients); ++l) {
    edges.push_back(edge_between(0, l));
    for (std::int64_t k = 0; k < clients[static_cast<std::size_t>(l - 1)]; ++k)
      edges.push_back(edge_between(l, next++));
  }
  return Topology(next, std::move(edges));
}

Topology make_topology(const TwoLevelClusterOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (std::int64_t cluster = 0; cluster < options.clusters; ++cluster) {
    const std::int64_t head = cluster * options.cluster_agents;
    append_clique(edges, head, options.cluster_agents);
    for (std::int64_t other = 0; other < cluster; ++other) {
      edges.push_back(edge_between(other * options.cluster_agents, head));
    }
  }
  return Topology(options.clusters * options.cluster_agents, std::move(edges));
}

}  // namespace lagnet
