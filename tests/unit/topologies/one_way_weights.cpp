#include "topologies/one_way_weights.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "tests/unit/topologies/said.hpp"
#include "topologies/digraphs/families.hpp"
#include "topologies/gossip.hpp"

namespace lagnet::one_way_weights_test {

namespace {

template <class Options>
Topology of_agents(std::int64_t agents) {
  Options options;
  options.agents = agents;
  return make_topology(options, 1);
}

Topology random_digraph(std::uint64_t seed) {
  RandomOutOptions options;
  options.agents = 9;
  options.degree = 2;
  return make_topology(options, seed);
}

}  // namespace

TEST_CASE("push weights divide by one more than the sender's out-degree and pull weights by the receiver's in-degree") {
  // 0 -> 1, 0 -> 2, 1 -> 2, 2 -> 0
  const Topology topology = Topology::of_arcs(3, {{0, 1}, {0, 2}, {1, 2}, {2, 0}});
  Matrix C(3, 3), R(3, 3);
  C << 1.0 / 3, 0, 0.5, 1.0 / 3, 0.5, 0, 1.0 / 3, 0.5, 0.5;
  R << 0.5, 0, 0.5, 0.5, 0.5, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3;
  CHECK(Matrix(push_weights(topology)) == C);
  CHECK(Matrix(pull_weights(topology)) == R);
}

TEST_CASE("columns of push weights and rows of pull weights sum to 1 and only who sends has weight") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Topology topology = random_digraph(seed);
    const SparseMatrix C = push_weights(topology), R = pull_weights(topology);
    CHECK(one_way_problems(topology, C, SumsToOne::columns).empty());
    CHECK(one_way_problems(topology, R, SumsToOne::rows).empty());
    CHECK(C.nonZeros() == std::ssize(topology.edges()) + topology.agents());
    // In-degrees differ, so that neither is the other kind.
    CHECK_FALSE(one_way_problems(topology, C, SumsToOne::rows).empty());
    CHECK_FALSE(one_way_problems(topology, R, SumsToOne::columns).empty());
  }
}

TEST_CASE("where all agents have one degree and links go both ways push and pull weights are those of Metropolis") {
  const Topology ring(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  const Matrix C = push_weights(ring);
  CHECK(C == Matrix(pull_weights(ring)));
  CHECK((C - Matrix(gossip_matrix(ring))).cwiseAbs().maxCoeff() < 1e-15);  // whose diagonal is 1 minus the others
}

TEST_CASE("whatever is wrong with weights is told") {
  const Topology topology = Topology::of_arcs(2, {{0, 1}});
  SparseMatrix weights(2, 2);
  weights.insert(0, 0) = 0.5;
  weights.insert(1, 0) = 0.5 + 2e-12;
  weights.insert(0, 1) = 0.25;
  weights.insert(1, 1) = -1;
  const auto problems = one_way_problems(topology, weights, SumsToOne::columns);
  CHECK(sentences(problems) ==
        "weight (0,1): expected 0, since 1 does not send to 0, found 0.25\n"
        "weight (1,1): expected a finite number that is not negative, found -1\n"
        "column 0 of the weights: expected the sum 1, found 1.000000000002\n"
        "column 1 of the weights: expected the sum 1, found -0.75");
  CHECK(sentences(one_way_problems(topology, SparseMatrix(3, 2), SumsToOne::rows)) ==
        "weights: expected 2 by 2, found 3 by 2");
  CHECK(said([&] { one_way_factor(topology, weights, SumsToOne::columns); }).starts_with("weight (0,1)"));
}

TEST_CASE("the second eigenvalue of a directed ring's weights is cos(pi/m) in absolute value") {
  // C = (I + P)/2, P a shift with the eigenvalues exp(2 pi i k/m): |1 + exp(i x)|/2 = |cos(x/2)|.
  for (const std::int64_t m : {3, 8, 25}) {
    const Topology ring = of_agents<DirectedRingOptions>(m);
    const double expected = std::cos(std::numbers::pi / static_cast<double>(m));
    CHECK(one_way_factor(ring, push_weights(ring), SumsToOne::columns).value() == Approx(expected).epsilon(1e-12));
    CHECK(one_way_factor(ring, pull_weights(ring), SumsToOne::rows).value() == Approx(expected).epsilon(1e-12));
  }
  CHECK(one_way_factor(Topology(1, {}), push_weights(Topology(1, {})), SumsToOne::columns) == 0);
  const Topology apart = Topology::of_arcs(2, {{0, 1}});
  CHECK(one_way_factor(apart, push_weights(apart), SumsToOne::columns) == 1);
}

}  // namespace lagnet::one_way_weights_test
