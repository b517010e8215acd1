#include "topologies/generators/barabasi_albert.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/topologies/generators/graphs.hpp"

namespace lagnet::barabasi_albert_test {

TEST_CASE("a Barabasi-Albert graph has k edges per new agent and every later agent at least that degree") {
  const Topology topology = make_topology(attachment(50, 3), 4);
  CHECK(topology.connected());
  CHECK(topology.edges().size() == 3 * 47);
  for (AgentId i = 3; i < 50; ++i) CHECK(topology.degree(i) >= 3);
  CHECK(make_topology(attachment(4, 3), 4).degree(3) == 3);  // the start: a star around agent k
}

}  // namespace lagnet::barabasi_albert_test
