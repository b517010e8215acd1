#include "topologies/generators/elementary.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet::elementary_test {

TEST_CASE("the elementary families have the edges of their definitions") {
  CHECK(edge_count(with_agents<CompleteOptions>(7)) == 21);
  CHECK(edges_of(with_agents<RingOptions>(4)) == std::vector<Edge>{{0, 1}, {0, 3}, {1, 2}, {2, 3}});
  CHECK(edges_of(with_agents<PathOptions>(4)) == std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}});
  CHECK(edges_of(with_agents<BinaryTreeOptions>(6)) == std::vector<Edge>{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}});
}

TEST_CASE("the center of a star may be any agent") {
  StarOptions options;
  options.agents = 4;
  options.center = 2;
  CHECK(edges_of(make_topology(options, 1)) == std::vector<Edge>{{0, 2}, {1, 2}, {2, 3}});
  options.center = 4;
  CHECK(said([&] { make_topology(options, 1); }) == "star.center: expected an agent below agents, found 4");
}

TEST_CASE("all fields out of their limits are reported together") {
  StarOptions options;
  options.agents = -2;
  options.center = -1;
  CHECK(said([&] { make_topology(options, 1); }) ==
        "star.agents: expected at least 1, found -2\nstar.center: expected at least 0, found -1");
}

TEST_CASE("a complete binary tree of k levels has diameter 2(k-1)") {
  // Between two leaves below different children of the root: up k-1 levels and down again.
  CHECK(distances(with_agents<BinaryTreeOptions>(15)).diameter == 6);
  CHECK(distances(with_agents<BinaryTreeOptions>(16)).diameter == 7);  // one leaf a level deeper
}

}  // namespace lagnet::elementary_test
