#include "topologies/one_way_weights.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "topologies/digraphs/digraphs.hpp"
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

TEST_CASE("columns of push weights and rows of pull weights sum to 1, and only senders have weight") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Topology topology = random_digraph(seed);
    const SparseMatrix C = push_weights(topology), R = pull_weights(topology);
    const Matrix of_columns = C, of_rows = R;
    for (Index j = 0; j < topology.agents(); ++j) {
      CHECK(std::abs(of_columns.col(j).sum() - 1) < 1e-15 * 9);  // so many terms, at most
      CHECK(std::abs(of_rows.row(j).sum() - 1) < 1e-15 * 9);
      for (Index i = 0; i < topology.agents(); ++i) {
        const bool has_weight = i == j || topology.sends(static_cast<AgentId>(j), static_cast<AgentId>(i));
        CHECK((of_columns(i, j) > 0) == has_weight);
        CHECK((of_rows(i, j) > 0) == has_weight);
      }
    }
    // In-degrees differ, so that neither is the other kind.
    CHECK((of_columns.rowwise().sum().array() - 1).abs().maxCoeff() > 0.01);
    CHECK((of_rows.colwise().sum().array() - 1).abs().maxCoeff() > 0.01);
  }
}

TEST_CASE("where all agents have one degree and links go both ways push and pull weights are those of Metropolis") {
  const Topology ring(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  const Matrix C = push_weights(ring);
  CHECK(C == Matrix(pull_weights(ring)));
  CHECK((C - Matrix(gossip_matrix(ring))).cwiseAbs().maxCoeff() < 1e-15);  // whose diagonal is 1 minus the others
}

TEST_CASE("the second eigenvalue of a directed ring's weights is cos(pi/m) in absolute value") {
  // C = (I + P)/2, P a shift with the eigenvalues exp(2 pi i k/m): |1 + exp(i x)|/2 = |cos(x/2)|.
  for (const std::int64_t m : {3, 8, 25}) {
    const Topology ring = of_agents<DirectedRingOptions>(m);
    const double expected = std::cos(std::numbers::pi / static_cast<double>(m));
    CHECK(one_way_factor(ring, push_weights(ring)).value() == Approx(expected).epsilon(1e-12));
    CHECK(one_way_factor(ring, pull_weights(ring)).value() == Approx(expected).epsilon(1e-12));
  }
  CHECK(one_way_factor(Topology(1, {}), push_weights(Topology(1, {}))) == 0);
  const Topology apart = Topology::of_arcs(2, {{0, 1}});
  CHECK(one_way_factor(apart, push_weights(apart)) == 1);
}

}  // namespace lagnet::one_way_weights_test
