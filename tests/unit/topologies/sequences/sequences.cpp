#include "topologies/sequences/sequences.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/base/array.hpp"
#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/sequences/base_graph.hpp"

namespace lagnet::sequences_test {

namespace {

/// W^t of a graph whose agents weigh what they hear alike.
Matrix even_weights(const Topology& graph) {
  Matrix w = Matrix::Zero(graph.agents(), graph.agents());
  for (AgentId i = 0; i < graph.agents(); ++i) {
    w(i, i) = 1 / (1 + static_cast<double>(graph.in(i).size()));
    for (const AgentId from : graph.in(i)) w(i, from) = w(i, i);
  }
  return w;
}

/// The largest entry of the product of all W^t less 11'/m.
double left_after(const GraphSequence& sequence) {
  const Index m = sequence.graphs.front().agents();
  Matrix product = Matrix::Identity(m, m);
  for (const Topology& graph : sequence.graphs)
    product =
        (sequence.weights == SequenceWeights::even ? even_weights(graph) : Matrix(matrix_of_edges(graph))) * product;
  return (product.array() - 1 / static_cast<double>(m)).abs().maxCoeff();
}

std::size_t base_rounds(std::int64_t m, std::int64_t k) { return base_graph_rounds(m, k).size(); }

}  // namespace

TEST_CASE("one-peer exponential graphs average exactly where agents are a power of two") {
  for (const std::int64_t m : {2, 4, 8, 16}) CHECK(left_after(make_sequence(OnePeerExponentialOptions{m})) == 0);
  // Counted in halves by hand for five: the sums 1 + 2 + 4 of ways around the circle.
  CHECK(left_after(make_sequence(OnePeerExponentialOptions{5})) == Approx(0.075));
  CHECK(left_after(make_sequence(OnePeerExponentialOptions{6})) == Approx(1.0 / 12));
  CHECK(left_after(make_sequence(OnePeerExponentialOptions{7})) == Approx(0.25 - 1.0 / 7));
}

TEST_CASE("a round of the one-peer exponential graph has an arc out of each agent and one into it") {
  const GraphSequence sequence = make_sequence(OnePeerExponentialOptions{7});
  REQUIRE(sequence.graphs.size() == 3);
  for (std::size_t p = 0; p < 3; ++p)
    for (AgentId i = 0; i < 7; ++i) {
      CHECK(sequence.graphs[p].in(i).size() == 1);
      REQUIRE(sequence.graphs[p].out(i).size() == 1);
      CHECK(sequence.graphs[p].out(i)[0] == (i + (1u << p)) % 7);
    }
  CHECK(edges_of(sequence.plain_union()) == edges_of(with_agents<OnePeerExponentialOptions>(7)));
  CHECK(sequence.plain_union().is_directed());
}

TEST_CASE("matchings of a hypercube average exactly, and their union is the hypercube") {
  for (const std::int64_t m : {2, 8, 32}) {
    const GraphSequence sequence = make_sequence(HypercubeMatchingsOptions{m});
    CHECK(left_after(sequence) == 0);
    for (const Topology& graph : sequence.graphs) CHECK(graph.max_degree() == 1);
    CHECK(edges_of(sequence.plain_union()) == edges_of(with_agents<HypercubeMatchingsOptions>(m)));
  }
  CHECK(edges_of(with_agents<HypercubeMatchingsOptions>(8)) == edges_of(with_agents<HypercubeOptions>(8)));
}

TEST_CASE("base graphs average any number of agents exactly with at most k neighbors in a round") {
  for (std::int64_t k = 1; k <= 4; ++k)
    for (std::int64_t m = 1; m <= 64; ++m) {
      if (m > 1 && k >= m) continue;
      CAPTURE(m, k);
      const GraphSequence sequence = make_sequence(BaseGraphOptions{.agents = m, .k = k});
      CHECK(left_after(sequence) < 1e-15);  // at most 11 products of rows that add up to 1
      for (const Topology& graph : sequence.graphs) {
        CHECK(graph.max_degree() <= k);
        CHECK(Matrix(matrix_of_edges(graph)).minCoeff() > -1e-15);
      }
      CHECK((m == 1 || sequence.plain_union().connected()));
    }
}

TEST_CASE("base graphs have as many rounds as their paper's construction takes") {
  const std::vector<std::vector<std::size_t>> rounds{{1, 3, 2, 5, 4, 5, 3, 7, 6, 7, 5, 7, 6, 7, 4},
                                                     {1, 1, 2, 3, 2, 4, 3, 2, 4, 5, 3, 5, 5, 4, 4},
                                                     {1, 1, 1, 3, 2, 3, 2, 2, 4, 4, 2, 4, 4, 4, 2}};
  for (std::int64_t k = 1; k <= 3; ++k)
    for (std::int64_t m = 2; m <= 16; ++m) {
      CAPTURE(m, k);
      CHECK(base_rounds(m, k) == rounds[static_cast<std::size_t>(k - 1)][static_cast<std::size_t>(m - 2)]);
    }
  const std::vector<std::size_t> most{11, 8, 6, 6};
  for (std::int64_t k = 1; k <= 4; ++k) {
    std::size_t largest = 0;
    for (std::int64_t m = 2; m <= 64; ++m) largest = std::max(largest, base_rounds(m, k));
    CHECK(largest == most[static_cast<std::size_t>(k - 1)]);
  }
}

TEST_CASE("rounds of an epidemic topology are drawn from the links of all agents to all others") {
  const GraphSequence sequence = make_sequence(EpidemicOptions{.agents = 6, .s = 2});
  CHECK(sequence.graphs.empty());
  CHECK_FALSE(sequence.is_doubly_stochastic());
  CHECK(make_sequence(EpidemicOptions{.agents = 6, .s = 2, .oracle = true}).is_doubly_stochastic());
  const Topology all = make_topology(EpidemicOptions{.agents = 6}, 1);
  CHECK((all.is_directed() && all.edges().size() == 30));
}

TEST_CASE("sequences refuse numbers of agents and neighbors that cannot be") {
  const auto said_of = [](const auto& options) { return said([&] { make_sequence(options); }); };
  CHECK_THAT(said_of(OnePeerExponentialOptions{1}),
             Catch::Contains("one_peer_exponential.agents: expected at least 2"));
  CHECK_THAT(said_of(HypercubeMatchingsOptions{1}), Catch::Contains("hypercube_matchings.agents: expected at least 2"));
  CHECK_THAT(said_of(HypercubeMatchingsOptions{6}),
             Catch::Contains("hypercube_matchings.agents: expected a power of two, found 6"));
  CHECK_THAT(said_of(BaseGraphOptions{.agents = 4, .k = 4}), Catch::Contains("base_graph.k: expected below agents"));
  CHECK_THAT(said_of(BaseGraphOptions{.agents = 4, .k = 0}), Catch::Contains("base_graph.k: expected at least 1"));
  CHECK_THAT(said_of(EpidemicOptions{.agents = 4, .s = 4}), Catch::Contains("epidemic.s: expected below agents"));
  CHECK_THAT(said_of(EpidemicOptions{.agents = 4, .s = 0}), Catch::Contains("epidemic.s: expected at least 1"));
  CHECK_THAT(said_of(EpidemicOptions{.agents = 1}), Catch::Contains("epidemic.agents: expected at least 2"));
  CHECK(make_sequence(BaseGraphOptions{.agents = 1}).graphs.size() == 1);
}

}  // namespace lagnet::sequences_test
