#include "topologies/strong_connectivity.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace lagnet::strong_connectivity_test {

TEST_CASE("of a strongly connected digraph there is nothing to say") {
  CHECK(why_not_strongly_connected(Topology::of_arcs(3, {{0, 1}, {1, 2}, {2, 0}})).empty());
  CHECK(why_not_strongly_connected(Topology::of_arcs(1, {})).empty());
}

TEST_CASE("who cannot reach agent 0 and whom it cannot reach are named by their components") {
  // A ring of six, which sends to two more agents that answer nobody.
  std::vector<Edge> arcs{{0, 1}, {1, 2}, {2, 3}, {3, 5}, {5, 6}, {6, 0}, {2, 4}, {6, 7}};
  CHECK(
      why_not_strongly_connected(Topology::of_arcs(8, arcs)) ==
      "the digraph has 3 strongly connected components, agents [4], [7] cannot reach agent 0; expected one component");
  CHECK(why_not_strongly_connected(Topology::of_arcs(4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}, {2, 0}})) ==
        "the digraph has 2 strongly connected components, agent 0 cannot reach agents [2, 3]; expected one component");
  CHECK(why_not_strongly_connected(Topology::of_arcs(4, {{0, 1}, {2, 0}})) ==
        "the digraph has 4 strongly connected components, agents [1], [3] cannot reach agent 0, agent 0 cannot reach "
        "agents [2], [3]; expected one component");
}

TEST_CASE("of many components and agents the first are listed") {
  std::vector<Edge> arcs;
  for (AgentId agent = 1; agent < 12; ++agent) arcs.push_back({0, agent});
  CHECK(why_not_strongly_connected(Topology::of_arcs(12, arcs)) ==
        "the digraph has 12 strongly connected components, agents [1], [2], [3], [4], [5], [6], [7], [8] and 3 more "
        "components cannot reach agent 0; expected one component");
  arcs = {{0, 1}};
  for (AgentId agent = 1; agent < 12; ++agent) arcs.push_back({agent, agent < 11 ? agent + 1 : 1});
  CHECK(why_not_strongly_connected(Topology::of_arcs(12, arcs)) ==
        "the digraph has 2 strongly connected components, agents [1, 2, 3, 4, 5, 6, 7, 8 and 3 more] cannot reach "
        "agent 0; expected one component");
}

}  // namespace lagnet::strong_connectivity_test
