#include "topologies/generators/elementary.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet::elementary_logarithmic_test {

TEST_CASE("an exponential graph has neighbors at the powers of two on either side") {
  const Topology topology = with_agents<ExponentialOptions>(16);
  const auto neighbors = topology.neighbors(0);
  CHECK(std::vector<AgentId>(neighbors.begin(), neighbors.end()) == std::vector<AgentId>{1, 2, 4, 8, 12, 14, 15});
  CHECK(topology.max_degree() == 7);
  CHECK(edge_count(topology) == 16 * 7 / 2);
}

TEST_CASE("a hypercube of 2^k agents is k-regular with diameter k") {
  const Topology topology = with_agents<HypercubeOptions>(32);
  CHECK(edge_count(topology) == 32 * 5 / 2);
  CHECK(degree_statistics(topology).min == 5);
  CHECK(topology.max_degree() == 5);
  CHECK(distances(topology).diameter == 5);
  CHECK(said([] { with_agents<HypercubeOptions>(12); }) == "hypercube.agents: expected a power of two, found 12");
}

}  // namespace lagnet::elementary_logarithmic_test
