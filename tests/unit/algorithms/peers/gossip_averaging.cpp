#include "algorithms/peers/gossip_averaging.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/accounts/trace.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::gossip_averaging_test {

namespace {

/// A path of three agents, 0 - 1 - 2, with Metropolis weights; labels 6 and 0, then 9, then 0, of one feature that is
/// always 1: the agents' own minimizers are 3, 9 and 0.
MethodInput path() {
  MethodInput given;
  given.problem.X = std::make_shared<const DataMatrix>(Matrix(Matrix::Ones(4, 1)));
  given.problem.y = Vector(4);
  given.problem.y << 6, 0, 9, 0;
  given.problem.samples = 4;
  given.problem.loss = make_loss(SquaredOptions());
  given.problem.regularizer = make_regularizer(NoneOptions());
  given.sample_starts = {0, 2, 3, 4};
  given.network.agents = 3;
  given.network.max_degree = 2;
  const double third = 1.0 / 3;
  given.network.gossip = {{2 * third, {third}}, {third, {third, third}}, {2 * third, {third}}};
  given.rounds = 2;
  return given;
}

Network links() {
  std::vector<LinkSpec> all;
  for (AgentId a = 0; a < 2; ++a) {
    all.push_back({.from = a, .to = a + 1, .latency = Duration::milliseconds(1)});
    all.push_back({.from = a + 1, .to = a, .latency = Duration::milliseconds(2)});
  }
  return Network(3, std::move(all));
}

struct Reports final : Recorder {
  std::vector<std::vector<std::vector<Vector>>> parts{std::vector<std::vector<Vector>>(3)};  // round, agent, part
  void reported(AgentId agent, Round round, std::span<const VectorView> views) override {
    parts.resize(std::max(parts.size(), static_cast<std::size_t>(round) + 1), std::vector<std::vector<Vector>>(3));
    parts[static_cast<std::size_t>(round)][agent].assign(views.begin(), views.end());
  }
};

}  // namespace

TEST_CASE("Gossip averages the agents' own minimizers, as two rounds by hand") {
  const auto algorithm = make_algorithm(GossipAveragingOptions(), path());
  Simulation world(links(), ComputeModel(std::vector<double>(3, 1e9)), {});
  Reports reports;
  Ledger ledger(3, world.network().links());
  world.record(reports);
  world.listen(ledger);
  algorithm->spawn(world);
  world.run();
  // 3 9 0 -> (2 * 3 + 9) / 3, (3 + 9 + 0) / 3, (2 * 0 + 9) / 3 = 5 4 3 -> 14/3 4 10/3
  const double by_hand[3][3] = {{3, 9, 0}, {5, 4, 3}, {14.0 / 3, 4, 10.0 / 3}};
  for (std::size_t t = 0; t < 3; ++t)
    for (AgentId i = 0; i < 3; ++i)
      CHECK(reports.parts[t][i][0][0] == Approx(by_hand[t][i]).margin(1e-14));  // a few roundings of numbers below 10
  const Evaluation end = algorithm->evaluate(2, reports.parts[2], {});
  CHECK(end.iterate[0] == Approx(4).margin(1e-14));
  CHECK(*end.metrics[0] == Approx(std::sqrt(8.0 / 27)).epsilon(1e-14));  // deviations 2/3, 0 and -2/3
  // A round costs (2 degree + 1) d flops: 3, 5 and 3.
  CHECK(ledger.total().flops == 2 * (3 + 5 + 3));
  CHECK(ledger.total().messages_sent == 2 * 4);
}

TEST_CASE("Gossip without numbers is event by event that with numbers") {
  const auto run = [](bool timing_only) {
    MethodInput given = path();
    given.timing_only = timing_only;
    const auto algorithm = make_algorithm(GossipAveragingOptions(), std::move(given));
    Simulation world(links(), ComputeModel(std::vector<double>(3, 1e9)), {.timing_only = timing_only});
    Trace trace;
    world.listen(trace);
    algorithm->spawn(world);
    world.run();
    return trace.hash();
  };
  CHECK(run(true) == run(false));
}

TEST_CASE("Gossip bills received messages: an agent without any keeps its vector for one product") {
  const MethodInput given = path();
  const auto algorithm = make_algorithm(GossipAveragingOptions(), given);
  WorldModel model;
  model.missing = {.kind = MissingNeighborKind::skip, .deadline = Duration::nanoseconds(10)};
  Simulation world(links(), ComputeModel(std::vector<double>(3, 1e9)), {.model = model});
  Ledger ledger(3, world.network().links());
  world.listen(ledger);
  algorithm->spawn(world);
  world.run();
  CHECK(ledger.total().flops == given.rounds * 3);  // d = 1
}

TEST_CASE("Gossip averaging refuses samples that leave an agent without a minimizer") {
  MethodInput given = path();
  given.problem.loss = make_loss(LogisticOptions());
  given.problem.y << 1, 1, -1, 1;  // each agent's labels are alike: its own logistic loss has no minimizer
  CHECK_THROWS_AS(make_algorithm(GossipAveragingOptions(), std::move(given)), Diagnosed);
}

}  // namespace lagnet::gossip_averaging_test
