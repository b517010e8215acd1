#include "topologies/generators/erdos_renyi.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/topologies/generators/graphs.hpp"

namespace lagnet::erdos_renyi_test {

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

}  // namespace lagnet::erdos_renyi_test
