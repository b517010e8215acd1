#include "topologies/routes.hpp"

#include <catch2/catch.hpp>

#include "sim/base/draws.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet::routes_test {

namespace {

/// By Floyd and Warshall.
Matrix by_relaxation(const Topology& topology) {
  Matrix lengths = Matrix::Constant(topology.agents(), topology.agents(), 1e300);
  lengths.diagonal().setZero();
  for (const Edge& edge : topology.edges()) lengths(edge.from, edge.to) = lengths(edge.to, edge.from) = edge.weight;
  for (Index k = 0; k < lengths.rows(); ++k)
    for (Index i = 0; i < lengths.rows(); ++i)
      for (Index j = 0; j < lengths.rows(); ++j) lengths(i, j) = std::min(lengths(i, j), lengths(i, k) + lengths(k, j));
  return lengths;
}

}  // namespace

TEST_CASE("a message takes the shortest way, which may pass others") {
  const Topology underlay(4, {{0, 1, 5}, {0, 2, 1}, {2, 1, 2}, {1, 3, 0.5}});
  Matrix expected(4, 4);
  expected << 0, 3, 1, 3.5, 3, 0, 2, 0.5, 1, 2, 0, 2.5, 3.5, 0.5, 2.5, 0;
  CHECK(route_lengths(underlay) == expected);
  CHECK(route_lengths(Topology(1, {})) == Matrix::Zero(1, 1));
}

TEST_CASE("routes are as short as any way") {
  Draws draws(1, Purpose{"underlay"});
  std::vector<Edge> drawn;
  for (AgentId k = 0; k + 1 < 25; ++k) drawn.push_back({k, k + 1});
  for (int k = 0; k < 60; ++k)
    drawn.push_back({static_cast<AgentId>(draws.below(25)), static_cast<AgentId>(draws.below(25))});
  drawn = simple_edges(std::move(drawn));
  for (Edge& edge : drawn) edge.weight = 0.1 + draws.uniform();
  const Topology underlay(25, std::move(drawn));
  const Matrix lengths = route_lengths(underlay);
  CHECK((lengths - by_relaxation(underlay)).cwiseAbs().maxCoeff() < 1e-14);  // sums of a few weights of about 1
  CHECK(lengths == lengths.transpose());
}

TEST_CASE("what is not connected has no routes") {
  CHECK(said([] { route_lengths(Topology(3, {{0, 1}})); }) == "expected a connected graph, found 2 components");
}

}  // namespace lagnet::routes_test
