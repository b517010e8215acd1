#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/peers/bases/accelerated_gossip.hpp"
#include "algorithms/peers/bases/mixing.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/support/decompositions.hpp"
#include "topologies/generators/families.hpp"
#include "topologies/laplacian.hpp"

/// What polynomials of W and of the Laplacian promise, on graphs of many families.
namespace lagnet::gossip_polynomials_test {

namespace {

std::vector<std::pair<std::string, Topology>> graphs() {
  std::vector<std::pair<std::string, Topology>> all{
      {"complete", make_topology(CompleteOptions{.agents = 7}, 1)},
      {"star", make_topology(StarOptions{.agents = 9}, 1)},
      {"ring", make_topology(RingOptions{.agents = 17}, 1)},
      {"path", make_topology(PathOptions{.agents = 12}, 1)},
      {"two agents", make_topology(PathOptions{.agents = 2}, 1)},
      {"lattice", make_topology(LatticeOptions{.rows = 3, .columns = 5}, 1)},
      {"hypercube", make_topology(HypercubeOptions{.agents = 16}, 1)},
      {"binary tree", make_topology(BinaryTreeOptions{.agents = 13}, 1)},
      {"barbell", make_topology(BarbellOptions{.clique_agents = 4, .path_agents = 3}, 1)}};
  for (const std::uint64_t seed : {1, 2, 3}) {
    all.emplace_back("Erdos-Renyi", make_topology(ErdosRenyiOptions{.agents = 14, .probability = 0.3}, seed));
    all.emplace_back("geometric", make_topology(RandomGeometricOptions{.agents = 14, .radius = 0.45}, seed));
    all.emplace_back("small world",
                     make_topology(WattsStrogatzOptions{.agents = 14, .degree = 4, .rewiring = 0.2}, seed));
    all.emplace_back("preferential", make_topology(BarabasiAlbertOptions{.agents = 14, .edges_per_agent = 2}, seed));
  }
  return all;
}

NetworkFacts facts_of(const Topology& graph, GossipWeights weights) {
  NetworkFacts facts = network_facts(graph);
  add_graph_spectra(facts, graph, nullptr);
  add_gossip(facts, graph, gossip_matrix(graph, weights));
  return facts;
}

struct LastReports : Recorder {
  Matrix rows;
  void reported(AgentId agent, Round, std::span<const VectorView> parts) override {
    rows.row(agent) = parts[0].transpose();
  }
};

template <class Change>
Task<> change_once(Agent& me, const Matrix& start, const Change& change) {
  StateVector u = Vector(start.row(me.id()));
  co_await change(me, u);
  me.report(0, u);
}

/// What agents have of these rows after `change` has changed each agent's vector.
template <class Change>
Matrix after(const Topology& graph, const Matrix& start, const Change& change) {
  std::vector<LinkSpec> links;
  for (const Edge& edge : graph.edges()) {
    links.push_back({edge.from, edge.to, Duration::milliseconds(1)});
    links.push_back({edge.to, edge.from, Duration::milliseconds(3)});
  }
  const auto m = static_cast<AgentId>(graph.agents());
  Simulation world(Network(m, std::move(links)), ComputeModel(std::vector<double>(m, 1e9)), {});
  LastReports last;
  last.rows = start;
  world.record(last);
  for (AgentId i = 0; i < m; ++i) world.spawn(i, change_once(world.agent(i), start, change));
  world.run();
  return last.rows;
}

Matrix random_rows(Index m, std::uint64_t seed) {
  Draws draws(seed, Purpose{"gossip_polynomials"});
  Matrix rows(m, 3);
  for (double& entry : rows.reshaped()) entry = draws.normal();
  return rows;
}

Matrix apart(const Matrix& rows) { return rows.rowwise() - rows.colwise().mean(); }

}  // namespace

TEST_CASE("Accelerated gossip keeps the mean and brings vectors nearer to it by its factor on every graph") {
  std::uint64_t seed = 0;
  for (const auto& [name, graph] : graphs())
    for (const GossipWeights weights :
         {GossipWeights::metropolis, GossipWeights::lazy_metropolis, GossipWeights::max_degree}) {
      const NetworkFacts facts = facts_of(graph, weights);
      if (!(facts.gossip_rho < 1)) continue;  // two agents that swap their vectors, which mixing refuses
      const Matrix start = random_rows(graph.agents(), ++seed);
      for (const Index K : {1, 2, 3, 8}) {
        CAPTURE(name, std::string(spelled(weights)), K);
        const Mixing mixing({.rounds = K, .acceleration = GossipAcceleration::chebyshev}, facts);
        const auto mix = [&mixing](Agent& me, StateVector& u) { return mixing.mix(me, u); };
        const Matrix mixed = after(graph, start, mix);
        // Each round rounds numbers of the size of 1; the weights of W and of older vectors are at most 3 or so.
        CHECK((mixed.colwise().mean() - start.colwise().mean()).norm() < 1e-13 * K);
        CHECK(apart(mixed).norm() <= mixing.rho() * apart(start).norm() + 1e-12);
        const double c = (2 - facts.gossip_lowest - facts.gossip_second) / (facts.gossip_second - facts.gossip_lowest);
        if (mixing.rho() > 0)
          CHECK(mixing.rho() == Approx(1 / std::cosh(static_cast<double>(K) * std::acosh(c))).epsilon(1e-9));
        CHECK(mixing.rho() <= std::pow(facts.gossip_rho, static_cast<double>(mixing.rounds())) + 1e-12);
      }
    }
}

TEST_CASE("The smallest number of accelerated rounds for a target is the smallest on every graph") {
  for (const auto& [name, graph] : graphs()) {
    const NetworkFacts facts = facts_of(graph, GossipWeights::lazy_metropolis);
    const auto rho = [&](Index K) {
      return Mixing({.rounds = K, .acceleration = GossipAcceleration::chebyshev}, facts).rho();
    };
    for (const double target : {0.5, 1e-2, 1e-6}) {
      CAPTURE(name, target);
      const Mixing mixing({.target = target, .acceleration = GossipAcceleration::chebyshev}, facts);
      CHECK(mixing.rho() <= target);
      if (mixing.rounds() > 1) CHECK(rho(mixing.rounds() - 1) > target);
    }
  }
}

TEST_CASE("Polynomials of the Laplacian keep their bounds and annihilate the mean on every graph") {
  std::uint64_t seed = 100;
  for (const auto& [name, graph] : graphs()) {
    const Index m = graph.agents();
    const NetworkFacts facts = facts_of(graph, GossipWeights::lazy_metropolis);
    const Index usual = LaplacianPolynomial::usual_degree(facts.graphs[0]);
    for (const Index K : {Index{0}, Index{1}, Index{2}, usual}) {
      CAPTURE(name, K);
      const AcceleratedGossip P(K, facts, "test");
      const auto multiply = [&P](Agent& me, StateVector& u) { return P.multiply(me, u); };
      Matrix polynomial(m, m);  // three columns of the identity at a time
      for (Index first = 0; first < m; first += 3) {
        Matrix columns = Matrix::Zero(m, 3);
        for (Index j = 0; j < 3 && first + j < m; ++j) columns(first + j, j) = 1;
        const Index count = std::min<Index>(3, m - first);
        polynomial.middleCols(first, count) = after(graph, columns, multiply).leftCols(count);
      }
      // Numbers up to lmax, here below 20, and of the recursion up to a_K c2^2, below 1e3.
      CHECK((polynomial - polynomial.transpose()).norm() < 1e-11);
      const Vector found = testing::eigenvalues((polynomial + polynomial.transpose()) / 2);
      CHECK(std::abs(found[0]) < 1e-11);
      CHECK(found[1] >= P.least() - 1e-9);  // as exact as the eigenvalues of the graph
      CHECK(found[m - 1] <= P.largest() + 1e-9);
      CHECK(found[1] == Approx(P.least()).margin(1e-9));  // the lower bound is met
      const Matrix rows = random_rows(m, ++seed);
      CHECK(after(graph, rows, multiply).colwise().sum().norm() < 1e-11);
    }
  }
}

}  // namespace lagnet::gossip_polynomials_test
