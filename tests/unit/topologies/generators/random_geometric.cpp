#include "topologies/generators/random_geometric.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/topologies/generators/graphs.hpp"

namespace lagnet::random_geometric_test {

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

}  // namespace lagnet::random_geometric_test
