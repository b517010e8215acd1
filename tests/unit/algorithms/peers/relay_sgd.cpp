#include "algorithms/peers/relay_sgd.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/algorithms/peers/asynchronous/moments_bench.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::relay_sgd_test {

using namespace lagnet::test;

namespace {

/// Six agents, of whom agent 2 has three neighbors.
PeerBench tree_bench(Round rounds, bool logistic = false) {
  PeerBench bench = uneven_bench(rounds, 5, logistic);
  bench.edges = {{0, 1}, {0, 2}, {2, 3}, {2, 4}, {4, 5}};
  return bench;
}

/// How many edges are between two agents.
std::vector<std::vector<std::size_t>> distances(const PeerBench& bench) {
  const auto m = static_cast<std::size_t>(bench.agents());
  std::vector<std::vector<std::size_t>> all(m, std::vector<std::size_t>(m, m));
  for (std::size_t i = 0; i < m; ++i) all[i][i] = 0;
  for (std::size_t k = 0; k < m; ++k)
    for (const auto& [a, b] : bench.edges)
      for (std::size_t i = 0; i < m; ++i) {
        all[i][a] = std::min(all[i][a], all[i][b] + 1);
        all[i][b] = std::min(all[i][b], all[i][a] + 1);
      }
  return all;
}

}  // namespace

TEST_CASE("an agent's iterate in RelaySGD is the mean of models as old as their ways are long") {
  const PeerBench bench = tree_bench(30);
  const RelaySgd method({.step = 0.2}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const auto away = distances(bench);
  const Index m = bench.agents(), d = bench.problem.dim();
  std::vector<Matrix> h{Matrix::Zero(m, d)};  // by round, from 1
  Matrix x = Matrix::Zero(m, d);
  for (std::size_t t = 1; t <= 30; ++t) {
    h.push_back(x - 0.2 * gradients(method, x));
    x.setZero();
    for (std::size_t i = 0; i < away.size(); ++i)
      for (std::size_t j = 0; j < away.size(); ++j) {
        const std::size_t age = std::max<std::size_t>(away[i][j], 1) - 1;
        if (age < t) x.row(static_cast<Index>(i)) += h[t - age].row(static_cast<Index>(j)) / static_cast<double>(m);
      }
    CHECK(distance(result, t, x) < 1e-13);  // roundings of numbers of order 1
  }
}

TEST_CASE("RelaySGD reaches the central optimum with a constant step, of squared and logistic losses") {
  for (const bool logistic : {false, true})
    // Linear convergence to rounding, which the condition number magnifies.
    CHECK(distance_to_optimum<RelaySgd>(tree_bench(3000, logistic), RelaySgdOptions{}) < 1e-11);
}

TEST_CASE("RelaySGD of one agent is gradient descent") {
  const PeerBench bench = one_agent(20);
  const RelaySgd method({.step = 0.2}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  Matrix x = Matrix::Zero(1, 4);
  for (std::size_t t = 1; t <= 20; ++t) {
    x -= 0.2 * gradients(method, x);
    CHECK(distance(result, t, x) < 1e-14);
  }
}

TEST_CASE("a round of RelaySGD costs a gradient, one message to each neighbor, and what is said of flops") {
  const PeerBench bench = tree_bench(4);
  const Index d = 4;
  for (const std::optional<Index> batch : {std::optional<Index>(), std::optional<Index>(5)}) {
    const RelaySgd method({.step = 0.05, .batch = batch}, bench.assignment());
    check_timing(bench, method);
    const PeerResult result = simulate(bench, method);
    for (const AgentId i : {AgentId{1}, AgentId{2}}) {  // with l2
      const Index deg = std::ssize(bench.neighbors(i)), n = batch.value_or(bench.sizes[i]);
      CHECK(in_round_3(result, i).flops == 4 * n * d + 2 * d + (3 * deg + 3) * d);
      CHECK(in_round_3(result, i).bytes_sent == 8 * d * deg);
    }
    CHECK(result.ledger.agent(2).messages_sent == 4 * 3);
  }
}

TEST_CASE("RelaySGD refuses a topology that is no tree") {
  CHECK(refusal_of(RelaySgdOptions{}, uneven_bench(1).assignment()) ==
        "kind: expected an algorithm for any graph, since relay_sgd needs a tree, found relay_sgd, and 6 agents with 7 "
        "edges");
}

}  // namespace lagnet::relay_sgd_test
