#include "algorithms/peers/bases/learned_constants.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/central/gram.hpp"
#include "algorithms/peers/fd_primal_dual.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::learned_constants_test {

namespace {

using namespace lagnet::test;

constexpr AgentId agents = 6;
// A ring of six with two chords: eigenvalues of its Laplacian differ.
const std::vector<std::pair<AgentId, AgentId>> edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}, {0, 2}, {1, 4}};

Matrix laplacian(double weight) {
  Matrix L = Matrix::Zero(agents, agents);
  for (const auto& [a, b] : edges) {
    L(a, a) += weight;
    L(b, b) += weight;
    L(a, b) = L(b, a) = -weight;
  }
  return L;
}

std::shared_ptr<const DataMatrix> data() {
  return std::make_shared<const DataMatrix>(Matrix(normal_regression(20, 12).X->dense()));
}

struct Learned {
  std::vector<LearnedConstants> of;
  Ledger ledger{0, 0};
};

Learned learn(LearningRule rule, const std::vector<std::vector<double>>& weights = {}) {
  std::vector<LinkSpec> links;
  std::int64_t latency = 1'000'000;
  for (const auto& [a, b] : edges) join(links, a, b, latency += 70'000);
  Simulation world(Network(agents, std::move(links)), ComputeModel(std::vector<double>(agents, 1e9)), {});
  Learned learned{.of = std::vector<LearnedConstants>(agents), .ledger = Ledger(agents, world.network().links())};
  world.listen(learned.ledger);
  const auto X = data();
  const auto body = [&](Agent& me) -> Task<> {
    const ColumnBlock block(X, 2 * Index{me.id()}, 2, 20);
    learned.of[me.id()] = co_await learn_constants(me, block, weights.empty() ? nullptr : &weights[me.id()], rule);
  };
  for (AgentId k = 0; k < agents; ++k) world.spawn(k, body(world.agent(k)));
  world.run();
  return learned;
}

}  // namespace

TEST_CASE("power iterations over a tree reach the norm of the data and the ends of the Laplacian's spectrum") {
  const Learned learned = learn({.root = 2, .iterations = 400, .margin = 0});
  const Vector values = testing::eigenvalues(laplacian(1));
  const double chi = singular_values_by_rotations(data()->dense())[0];
  for (const LearnedConstants& found : learned.of) {
    CHECK(found.chi == Approx(chi).epsilon(1e-9));  // a ratio of eigenvalues of 0.9 and less, 400 times
    CHECK(found.D == Approx(values[agents - 1]).epsilon(1e-9));
    CHECK(found.delta == Approx(values[1]).epsilon(1e-6));
    CHECK(found.chi == learned.of[0].chi);  // the same bits for all
    CHECK(found.D == learned.of[0].D);
    CHECK(found.delta == learned.of[0].delta);
  }
}

TEST_CASE("edge weights scale the learned eigenvalues of the Laplacian, and the margin raises chi and D") {
  std::vector<std::vector<double>> weights(agents);
  for (const auto& [a, b] : edges) {
    weights[a].push_back(3);
    weights[b].push_back(3);
  }
  const LearnedConstants plain = learn({.iterations = 400, .margin = 0}).of[0];
  const LearnedConstants scaled = learn({.iterations = 400, .margin = 0.1}, weights).of[0];
  CHECK(scaled.chi == Approx(1.1 * plain.chi));
  CHECK(scaled.D == Approx(3.3 * plain.D));
  CHECK(scaled.delta == Approx(3 * plain.delta).epsilon(1e-5));
}

TEST_CASE("few iterations end below the eigenvalues and cost their messages over the tree and the edges") {
  const std::int64_t K = 5, m = agents, E = 8, n = 20;
  const Learned learned = learn({.iterations = K, .margin = 0});
  CHECK(learned.of[0].chi <= singular_values_by_rotations(data()->dense())[0]);
  CHECK(learned.of[0].D <= testing::eigenvalues(laplacian(1))[m - 1]);
  // The echo: a message over each edge in each direction. Sums: K + 1 of n numbers; for D and for delta one of m, and K
  // + 1 of two numbers; each up and down the tree. Exchanges: K for each of the two.
  const std::int64_t sums = (K + 1) + 2 * (1 + K + 1);
  CHECK(learned.ledger.total().messages_sent == 2 * E + 2 * (m - 1) * sums + 2 * 2 * E * K);
  const std::int64_t numbers = 2 * E + 2 * (m - 1) * ((K + 1) * n + 2 * (1 + 2 * (K + 1))) + 2 * 2 * E * K;
  CHECK(learned.ledger.total().bytes_sent == 8 * numbers);
}

}  // namespace lagnet::learned_constants_test
