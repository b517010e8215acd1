#include "algorithms/peers/bases/peers.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/peers/optimal/opapc.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::test::peers_test {

namespace {

/// mu and L in use.
std::pair<double, double> bounds(const PeerBench& bench, const OwnCurvatureOptions& options = {},
                                 AgentWeights weights = AgentWeights::samples) {
  MethodInput given = bench.assignment();
  given.agent_weights = weights;
  const Opapc method(ApapcOptions{options}, given);
  std::map<std::string, double> constants;
  for (const auto& [name, value] : method.constants()) constants[name] = value;
  return {constants.at("mu"), constants.at("L")};
}

}  // namespace

using namespace lagnet::test;

TEST_CASE("Least and largest curvatures of squared losses are those of every agent's samples and the regularizer") {
  PeerBench bench = ring_bench(1);
  bench.problem.regularizer = make_regularizer(L2Options{.weight = 0.3});
  double least = 1e9, largest = 0;
  for (Index i = 0; i < 5; ++i) {
    const Matrix X = bench.problem.X->dense().middleRows(20 * i, 20);
    const Vector values = testing::eigenvalues(Matrix(X.transpose() * X / 20));
    least = std::min(least, values[0]);
    largest = std::max(largest, values[3]);
  }
  const auto [mu, L] = bounds(bench);
  CHECK(mu == Approx(least + 0.3).epsilon(1e-12));
  CHECK(L == Approx(largest + 0.3).epsilon(1e-12));
}

TEST_CASE("Losses of agents that weigh by their samples have their curvatures times their weights") {
  PeerBench bench = ring_bench(1);
  bench.sizes = {40, 15, 15, 15, 15};
  const auto [mu, L] = bounds(bench);
  const auto [even_mu, even_L] = bounds(bench, {}, AgentWeights::even);
  Vector mus(5), Ls(5);
  for (Index i = 0, first = 0; i < 5; first += bench.sizes[static_cast<std::size_t>(i++)]) {
    const Index n = bench.sizes[static_cast<std::size_t>(i)];
    const Matrix X = bench.problem.X->dense().middleRows(first, n);
    const Vector values = testing::eigenvalues(Matrix(X.transpose() * X / static_cast<double>(n)));
    mus[i] = values[0];
    Ls[i] = values[3];
  }
  CHECK(even_mu == Approx(mus.minCoeff()).epsilon(1e-12));
  CHECK(even_L == Approx(Ls.maxCoeff()).epsilon(1e-12));
  const Vector weights{{2, 0.75, 0.75, 0.75, 0.75}};  // 5 n_i / 100
  CHECK(mu == Approx(mus.cwiseProduct(weights).minCoeff()).epsilon(1e-12));
  CHECK(L == Approx(Ls.cwiseProduct(weights).maxCoeff()).epsilon(1e-12));
}

TEST_CASE("A part without least curvature is refused with its agent unless mu is given or there is an l2 norm") {
  PeerBench bench = ring_bench(1);
  bench.sizes = {31, 31, 32, 3, 3};  // fewer samples than the 4 features from agent 3 on
  const std::string refusal =
      "mu: expected above 0; agent 3's part has least curvature 0: give mu, or an l2 regularizer, found theory";
  CHECK_THROWS_WITH(bounds(bench), refusal);
  CHECK(bounds(bench, {.mu = 0.25}).first == 0.25);
  bench.problem.regularizer = make_regularizer(L2Options{.weight = 0.3});
  CHECK(bounds(bench).first == 0.3);

  PeerBench logistic = ring_bench(1);
  logistic.problem.loss = make_loss(LogisticOptions{});
  logistic.problem.y = logistic.problem.y.cwiseSign();
  CHECK_THROWS_WITH(bounds(logistic),
                    "mu: expected above 0; agent 0's part has least curvature 0: give mu, or an l2 regularizer, found "
                    "theory");
  PeerBench equal = ring_bench(1);  // two equal columns, whose least eigenvalue is a rounding
  Matrix X = equal.problem.X->dense();
  X.block(40, 0, 20, 1) = X.block(40, 1, 20, 1);
  equal.problem.X = std::make_shared<const DataMatrix>(X);
  CHECK_THROWS_WITH(bounds(equal), Catch::StartsWith("mu: expected above 0; agent 2's part has least curvature 0"));
}

TEST_CASE("Bounds on curvatures that contradict each other are refused") {
  const PeerBench bench = ring_bench(1);
  CHECK_THROWS_WITH(bounds(bench, {.L = 1e-6}), Catch::StartsWith("L: expected at least mu, which is "));
  CHECK_THROWS_WITH(bounds(bench, {.mu = 1e6}), Catch::StartsWith("mu: expected at most L, which is "));
  CHECK_THROWS_WITH(bounds(bench, {.mu = -1}), "mu: expected a number above 0, found -1");
}

}  // namespace lagnet::test::peers_test
