#include "topologies/generators/elementary.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet::elementary_test {

namespace {

LatticeOptions grid(std::int64_t rows, std::int64_t columns, std::int64_t neighbors = 4, bool torus = false) {
  LatticeOptions options;
  options.rows = rows;
  options.columns = columns;
  options.neighbors = neighbors;
  options.torus = torus;
  return options;
}

std::size_t edge_count(const LatticeOptions& options) { return make_topology(options, 1).edges().size(); }

Topology barbell(std::int64_t clique, std::int64_t path) {
  BarbellOptions options;
  options.clique_agents = clique;
  options.path_agents = path;
  return make_topology(options, 1);
}

Topology clusters(std::int64_t count, std::int64_t size) {
  TwoLevelClusterOptions options;
  options.clusters = count;
  options.cluster_agents = size;
  return make_topology(options, 1);
}

}  // namespace

TEST_CASE("the elementary families have the edges of their definitions") {
  CHECK(edge_count(with_agents<CompleteOptions>(7)) == 21);
  CHECK(edges_of(with_agents<RingOptions>(4)) == std::vector<Edge>{{0, 1}, {0, 3}, {1, 2}, {2, 3}});
  CHECK(edges_of(with_agents<PathOptions>(4)) == std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}});
  CHECK(edges_of(with_agents<BinaryTreeOptions>(6)) == std::vector<Edge>{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}});
}

TEST_CASE("a tree of two levels has edges below its root, and clients below these, edge by edge") {
  TwoLevelTreeOptions options;
  options.clients = {2, 1};
  CHECK(edges_of(make_topology(options, 1)) == std::vector<Edge>{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}});
  CHECK(options.size().agents == 6);
  TwoLevelTreeOptions even;
  even.edges = 3;
  even.clients_per_edge = 2;
  CHECK(make_topology(even, 1).agents() == 10);
  CHECK(even.size().agents == 10);
  even.clients_per_edge.reset();
  CHECK(said([&] { make_topology(even, 1); }) ==
        "two_level_tree.clients: expected a list, or edges and clients_per_edge, found neither");
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

TEST_CASE("a grid has the edge counts of its rows, columns and diagonals") {
  CHECK(edge_count(grid(3, 5)) == 3 * 4 + 2 * 5);
  CHECK(edge_count(grid(3, 5, 8)) == 3 * 4 + 2 * 5 + 2 * 2 * 4);
  CHECK(edge_count(grid(3, 5, 4, true)) == 2 * 15);
  CHECK(edge_count(grid(3, 5, 8, true)) == 4 * 15);
  CHECK(distances(make_topology(grid(3, 5), 1)).diameter == 6);
  CHECK(distances(make_topology(grid(3, 5, 8), 1)).diameter == 4);
}

TEST_CASE("a torus with short sides has no doubled edges and no self loops") {
  CHECK(edge_count(grid(2, 5, 4, true)) == 2 * 5 + 5);       // two rings, joined by 5 single edges
  CHECK(edge_count(grid(2, 5, 8, true)) == 2 * 5 + 5 + 10);  // and each cell by two diagonals to the other ring
  CHECK(edge_count(grid(1, 5, 8, true)) == 5);
  CHECK(edge_count(grid(2, 2, 4, true)) == 4);
  CHECK(edge_count(grid(2, 2, 8, true)) == 6);
  CHECK(edge_count(grid(1, 2, 8, true)) == 1);
  CHECK(edge_count(grid(1, 1, 8, true)) == 0);
}

TEST_CASE("agent 0 sits on a central cell and the agent of that cell in the corner") {
  LatticeOptions options;
  options.agents = 16;
  options.neighbors = 8;
  const Topology hub = make_topology(options, 1);
  CHECK(hub.degree(0) == 8);
  CHECK(hub.degree(10) == 3);  // the cell (2,2) of 4 by 4 has number 10
  const auto neighbors = hub.neighbors(0);
  CHECK(std::vector<AgentId>(neighbors.begin(), neighbors.end()) == std::vector<AgentId>{5, 6, 7, 9, 11, 13, 14, 15});
  options.hub_at_center = false;
  const Topology plain = make_topology(options, 1);
  CHECK(plain.degree(0) == 3);
  CHECK(plain.degree(10) == 8);
}

TEST_CASE("lattices of one and two agents are valid") {
  LatticeOptions one;
  one.agents = 1;
  CHECK(make_topology(one, 1).agents() == 1);
  CHECK(edge_count(grid(1, 2)) == 1);
  CHECK(edge_count(grid(2, 1)) == 1);
}

TEST_CASE("a lattice of no definite shape is rejected") {
  LatticeOptions options;
  CHECK(said([&] { make_topology(options, 1); }) ==
        "lattice.agents: expected a number, or rows and columns, found none");
  options.agents = 12;
  CHECK(said([&] { make_topology(options, 1); }) ==
        "lattice.agents: expected a square number, or rows and columns, found 12");
  options.rows = 3;
  CHECK(said([&] { make_topology(options, 1); }) == "lattice.columns: expected a number beside rows, found none");
  options.columns = 5;
  options.neighbors = 6;
  CHECK(said([&] { make_topology(options, 1); }) ==
        "lattice.neighbors: expected 4 or 8, found 6\nlattice.agents: expected rows times columns, found 12");
  options.rows.reset();
  options.neighbors = 9;
  CHECK(said([&] { make_topology(options, 1); }) == "lattice.neighbors: expected from 4 to 8, found 9");
  options.neighbors = 8;
  CHECK(said([&] { make_topology(options, 1); }) == "lattice.rows: expected a number beside columns, found none");
}

TEST_CASE("a barbell has two cliques and a path between them") {
  const Topology topology = barbell(4, 2);
  CHECK(topology.agents() == 10);
  CHECK(edge_count(topology) == 6 + 6 + 3);
  // One step to the gate of a clique, path_agents + 1 steps to the other gate, one step from it.
  CHECK(distances(topology).diameter == 5);
  CHECK(barbell(3, 0).agents() == 6);
  CHECK(edge_count(barbell(3, 0)) == 7);
  CHECK(edges_of(barbell(1, 1)) == std::vector<Edge>{{0, 1}, {1, 2}});
  CHECK(said([] { barbell(0, -1); }) ==
        "barbell.clique_agents: expected at least 1, found 0\nbarbell.path_agents: expected at least 0, found -1");
}

TEST_CASE("the heads of a two-level cluster are the first agents of their cliques") {
  const Topology topology = clusters(3, 4);
  CHECK(topology.agents() == 12);
  CHECK(edge_count(topology) == 3 * 6 + 3);
  for (AgentId i = 0; i < 12; ++i) CHECK(topology.degree(i) == (i % 4 == 0 ? 5 : 3));
  CHECK(distances(topology).diameter == 3);  // member, head, other head, member
  CHECK(clusters(1, 1).agents() == 1);
  CHECK(edge_count(clusters(4, 1)) == 6);
}

}  // namespace lagnet::elementary_test
