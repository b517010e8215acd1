#include "topologies/two_sides.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace lagnet::two_sides_test {

TEST_CASE("The sides of a bipartite topology are those of every second agent of an even ring") {
  const TwoSides sides = two_sides(Topology(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}}));
  CHECK(sides.first == std::vector<bool>{true, false, true, false, true, false});
  CHECK(sides.odd_cycle.empty());
}

TEST_CASE("Where a topology has no two sides, agents of an odd cycle are named") {
  const Topology topology(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 2}, {4, 5}});
  const TwoSides sides = two_sides(topology);
  CHECK(sides.first.empty());
  std::vector<AgentId> cycle = sides.odd_cycle;
  std::ranges::sort(cycle);
  CHECK(cycle == std::vector<AgentId>{2, 3, 4});
}

TEST_CASE("One agent alone has a side") { CHECK(two_sides(Topology(1, {})).first == std::vector<bool>{true}); }

}  // namespace lagnet::two_sides_test
