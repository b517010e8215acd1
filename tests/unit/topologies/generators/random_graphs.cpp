#include "topologies/generators/random_graphs.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet::random_graphs_test {

TEST_CASE("the mean number of edges of G(n,p) is p n(n-1)/2") {
  constexpr std::int64_t agents = 40, seeds = 200;
  constexpr double p = 0.3, pairs = agents * (agents - 1) / 2.0;
  double sum = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Topology topology = make_topology(erdos_renyi(agents, p), seed);
    REQUIRE(topology.tries() ==
            1);  // a redrawn graph would bias the count; the chance is below 40 * 0.7^39 = 4e-5 a draw
    sum += static_cast<double>(topology.edges().size());
  }
  // Each count is binomial; the bound is 4 standard deviations of their mean.
  CHECK(std::abs(sum / seeds - p * pairs) < 4 * std::sqrt(pairs * p * (1 - p) / seeds));
}

TEST_CASE("a larger probability keeps every edge of the same seed") {
  const Topology sparse = make_topology(erdos_renyi(30, 0.4), 3), dense = make_topology(erdos_renyi(30, 0.5), 3);
  REQUIRE(sparse.tries() == 1);
  REQUIRE(dense.tries() == 1);
  const auto kept = edges_of(dense);
  for (const Edge& edge : sparse.edges()) CHECK(std::find(kept.begin(), kept.end(), edge) != kept.end());
  CHECK(kept.size() > sparse.edges().size());
}

TEST_CASE("a large G(n,p) has its mean number of edges in every part") {
  constexpr std::int64_t agents = most_one_by_one + 1, tenth = agents / 10;
  constexpr double p = 0.002;
  const Topology topology = make_topology(erdos_renyi(agents, p), 1);
  std::vector<double> found(10), expected(10);
  for (const Edge& edge : topology.edges())
    ++found[static_cast<std::size_t>(std::min<std::int64_t>(9, edge.from / tenth))];
  for (std::int64_t i = 0; i < agents; ++i)
    expected[static_cast<std::size_t>(std::min<std::int64_t>(9, i / tenth))] += p * static_cast<double>(agents - 1 - i);
  for (std::size_t k = 0; k < 10; ++k) CHECK(std::abs(found[k] - expected[k]) < 4 * std::sqrt(expected[k]));
}

TEST_CASE("the possible edges of a very large G(n,p) do not repeat those 2^33 before") {
  constexpr std::int64_t agents = 132'000;  // with 2^33 + 1.2e8 possible edges
  const Topology topology = make_topology(erdos_renyi(agents, 1.3e-4), 1);
  std::vector<std::int64_t> there;
  for (const auto& [i, j, weight] : topology.edges())
    there.push_back(std::int64_t{i} * agents - std::int64_t{i} * (i + 1) / 2 + j - i - 1);
  std::int64_t repeated = 0;
  for (const std::int64_t number : there)
    repeated += std::binary_search(there.begin(), there.end(), number - (std::int64_t{1} << 33));
  CHECK(repeated < 20);  // 1.2e8 p^2 = 2 by chance
}

TEST_CASE("disconnected draws are redrawn and counted") {
  std::int64_t tries = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Topology topology = make_topology(erdos_renyi(16, 0.18), seed);
    CHECK(topology.connected());
    tries += topology.tries();
  }
  // The chance that no agent is isolated is about (1 - 0.82^15)^16 = 0.43, so that 20 first draws hardly all succeed.
  CHECK(tries > 20);
}

TEST_CASE("all agents of a random regular graph have the degree, up to the complete graph") {
  for (const auto& [agents, degree] :
       {std::pair(10, 2), {10, 3}, {11, 4}, {30, 7}, {12, 9}, {12, 10}, {12, 11}, {5, 4}}) {
    INFO(agents << " agents of degree " << degree);
    const Topology topology = make_topology(regular(agents, degree), 2);
    CHECK(degree_statistics(topology).min == degree);
    CHECK(topology.max_degree() == degree);
  }
}

TEST_CASE("random regular graphs show each possible graph about equally often") {
  // Of the 70 labeled cubic graphs on 6 agents, 10 are K_33 and 60 are prisms; all are connected. Only K_33 has no
  // triangle.
  constexpr int draws = 1400;
  int without_triangle = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    const Topology topology = make_topology(regular(6, 3), seed);
    const Matrix adjacency = 3 * Matrix::Identity(6, 6) - dense_laplacian(topology);
    without_triangle += (adjacency * adjacency * adjacency).trace() < 0.5;
  }
  const double p = 1.0 / 7;  // within 4 standard deviations of a binomial count
  CHECK(std::abs(without_triangle - draws * p) < 4 * std::sqrt(draws * p * (1 - p)));
}

TEST_CASE("agents of a random geometric graph are neighbors exactly if they are near") {
  for (const auto& [agents, radius] : {std::pair(60, 0.3), {60, 0.5}, {60, 1.0}, {60, 2.0}, {1000, 0.08}}) {
    INFO(agents << " agents and radius " << radius);
    const Topology topology = make_topology(geometric(agents, radius), 5);
    const auto points = topology.positions();
    const auto are_near = [&](std::size_t i, std::size_t j) {
      return std::hypot(points[i].x - points[j].x, points[i].y - points[j].y) < radius;
    };
    REQUIRE(points.size() == static_cast<std::size_t>(agents));
    std::size_t near = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) near += are_near(i, j);
    CHECK(topology.edges().size() == near);
    for (const Edge& edge : topology.edges()) CHECK(are_near(edge.from, edge.to));
  }
}

TEST_CASE("a random geometric graph of very many agents compares near ones alone") {
  const Topology topology = make_topology(geometric(200'000, 0.006), 1);  // by all pairs half a minute
  CHECK(topology.connected());
  CHECK(topology.edges().size() / 2.26e6 == Approx(1).epsilon(0.02));  // N^2 pi r^2 / 2, less at the borders
}

TEST_CASE("a small world keeps its number of edges, and without rewiring the ring of near neighbors") {
  CHECK(make_topology(small_world(30, 6, 0.4), 9).edges().size() == 90);
  const Topology fixed = make_topology(small_world(10, 4, 0), 1);
  CHECK(fixed.edges().size() == 20);
  for (const Edge& edge : fixed.edges()) {
    const auto apart = edge.to - edge.from;
    CHECK((apart <= 2 || apart >= 8));
  }
  CHECK(make_topology(small_world(5, 4, 1), 1).edges().size() == 10);  // a complete graph has nowhere to rewire to
}

TEST_CASE("a Barabasi-Albert graph has k edges per new agent and every later agent at least that degree") {
  const Topology topology = make_topology(attachment(50, 3), 4);
  CHECK(topology.connected());
  CHECK(topology.edges().size() == 3 * 47);
  for (AgentId i = 3; i < 50; ++i) CHECK(topology.degree(i) >= 3);
  CHECK(make_topology(attachment(4, 3), 4).degree(3) == 3);  // the start: a star around agent k
}

}  // namespace lagnet::random_graphs_test
