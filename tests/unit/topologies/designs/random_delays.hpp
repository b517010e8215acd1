#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "sim/base/draws.hpp"
#include "topologies/designs/delays.hpp"

/// Delays for tests of designs, and all topologies of few agents to hold these against.
namespace lagnet {

/// Any delays, different in both directions.
inline Delays drawn_delays(std::int64_t agents, std::uint64_t seed) {
  Draws draws(seed, Purpose{"delays"});
  Matrix seconds(agents, agents);
  for (Index i = 0; i < agents; ++i)
    for (Index j = 0; j < agents; ++j) seconds(i, j) = draws.uniform();
  return Delays(seconds);
}

/// Distances between points of a square, which obey the triangle inequality.
inline Delays drawn_distances(std::int64_t agents, std::uint64_t seed) {
  Draws draws(seed, Purpose{"places"});
  std::vector<Point> places(static_cast<std::size_t>(agents));
  for (Point& place : places) place = {draws.uniform(), draws.uniform()};
  Matrix seconds(agents, agents);
  for (Index i = 0; i < agents; ++i)
    for (Index j = 0; j < agents; ++j) {
      const Point a = places[static_cast<std::size_t>(i)], b = places[static_cast<std::size_t>(j)];
      seconds(i, j) = std::hypot(a.x - b.x, a.y - b.y);
    }
  return Delays(seconds);
}

/// All delays are alike, so that nothing but the order of agents decides.
inline Delays equal_delays(std::int64_t agents) { return Delays(Matrix::Constant(agents, agents, 1)); }

/// Every spanning tree of at least three labeled agents, m^(m-2) of them (H. Pruefer, 1918).
inline void for_each_tree(std::int64_t agents, const std::function<void(const Topology&)>& look) {
  const auto m = static_cast<std::size_t>(agents);
  std::vector<AgentId> code(m - 2, 0);
  for (;;) {
    std::vector<std::int64_t> left(m, 1);  // neighbors still to come
    for (const AgentId agent : code) ++left[agent];
    std::vector<Edge> edges;
    for (const AgentId agent : code) {
      const auto leaf = static_cast<AgentId>(std::ranges::find(left, 1) - left.begin());
      edges.push_back({leaf, agent});
      --left[leaf];
      --left[agent];
    }
    const auto first = std::ranges::find(left, 1), second = std::find(first + 1, left.end(), 1);
    edges.push_back({static_cast<AgentId>(first - left.begin()), static_cast<AgentId>(second - left.begin())});
    look(Topology(agents, std::move(edges)));
    std::size_t digit = 0;
    while (digit < code.size() && code[digit] + 1 == m) code[digit++] = 0;
    if (digit == code.size()) return;
    ++code[digit];
  }
}

/// Every ring of at least three agents, in both directions.
inline void for_each_ring(std::int64_t agents, const std::function<void(const Topology&)>& look) {
  std::vector<AgentId> order(static_cast<std::size_t>(agents));
  std::iota(order.begin(), order.end(), AgentId{0});
  do {
    std::vector<Edge> edges;
    for (std::size_t k = 0; k < order.size(); ++k) edges.push_back({order[k], order[(k + 1) % order.size()]});
    look(Topology(agents, std::move(edges)));
  } while (std::next_permutation(order.begin() + 1, order.end()));
}

}  // namespace lagnet
