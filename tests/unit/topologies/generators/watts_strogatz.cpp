#include "topologies/generators/watts_strogatz.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/topologies/generators/graphs.hpp"

namespace lagnet::watts_strogatz_test {

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

}  // namespace lagnet::watts_strogatz_test
