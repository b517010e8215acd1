#include "algorithms/federated/bases/server_update.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_prox.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::server_update_test {

using namespace lagnet::test;

namespace {

Bench three_clients(Round rounds = 8) {
  return {.problem = random_problem(40, 4), .sizes = {5, 15, 20}, .rounds = rounds};
}

FedAvgOptions with(ServerOptimizerOptions optimizer, double eta_s = 1) {
  FedAvgOptions options{{.local_steps = 2, .client_step = 0.1, .server_step = eta_s}};
  options.server.server_optimizer = std::move(optimizer);
  return options;
}

/// The aggregates of rounds, from models of full participation: what plain averaging would have moved by.
Vector aggregate(const Bench& bench, const Vector& w) {
  Bench one = bench;
  one.rounds = 1;
  one.start = w;
  return simulate(one, with({})).w[1] - w;
}

/// Follows a run by plain loops: `step(w, a, t)` is the server's.
void check_steps(const Bench& bench, const FedAvgOptions& options,
                 const std::function<void(Vector& w, const Vector& a)>& step) {
  const auto got = simulate(bench, options).w;
  Vector w = Vector::Zero(4);
  for (std::size_t t = 1; t < got.size(); ++t) {
    step(w, aggregate(bench, w));
    // A change is a difference of models, rounded at their size of about 1; a step divides it by tau = 0.1 at least.
    CHECK((got[t] - w).norm() < 1e-12);
  }
}

}  // namespace

TEST_CASE("momentum and adaptive rules move the model entry by entry as the sheet says") {
  const Bench bench = three_clients();
  Vector m = Vector::Zero(4), v = m;
  check_steps(bench, with(ServerSgdOptions{.momentum = 0.7}, 0.4), [&](Vector& w, const Vector& a) {
    m = 0.7 * m + a;
    w += 0.4 * m;
  });
  const auto move = [&](Vector& w, Index j) { w[j] += 0.05 * m[j] / (std::sqrt(v[j]) + 0.1); };
  ServerAdagradOptions adagrad;
  adagrad.tau = 0.1;
  m.setZero(), v.setConstant(0.01);
  check_steps(bench, with(adagrad, 0.05), [&](Vector& w, const Vector& a) {
    for (Index j = 0; j < 4; ++j) {
      m[j] = a[j];
      v[j] += a[j] * a[j];
      move(w, j);
    }
  });
  ServerAdamOptions adam;
  adam.tau = 0.1, adam.v0 = 0.5, adam.beta1 = 0.8, adam.beta2 = 0.9;
  m.setZero(), v.setConstant(0.5);
  check_steps(bench, with(adam, 0.05), [&](Vector& w, const Vector& a) {
    for (Index j = 0; j < 4; ++j) {
      m[j] = 0.8 * m[j] + (1 - 0.8) * a[j];
      v[j] = 0.9 * v[j] + (1 - 0.9) * a[j] * a[j];
      move(w, j);
    }
  });
  ServerYogiOptions yogi;
  yogi.tau = 0.1, yogi.beta2 = 0.9;
  m.setZero(), v.setConstant(0.01);
  check_steps(bench, with(yogi, 0.05), [&](Vector& w, const Vector& a) {
    for (Index j = 0; j < 4; ++j) {
      m[j] = 0.9 * m[j] + (1 - 0.9) * a[j];
      const double less = v[j] - a[j] * a[j];
      v[j] -= (1 - 0.9) * a[j] * a[j] * (less > 0 ? 1 : less < 0 ? -1 : 0);
      move(w, j);
    }
  });
}

TEST_CASE("sgd without momentum is plain averaging, and adagrad with a huge tau nearly so") {
  const Bench bench = three_clients(50);
  const auto plain = simulate(bench, FedAvgOptions{{.local_steps = 2, .client_step = 0.1}}).w;
  CHECK(simulate(bench, with(ServerSgdOptions{})).w == plain);
  ServerAdagradOptions adagrad;
  adagrad.tau = 1e6;
  // sqrt(tau^2 + ..) + tau is 2 tau within 1e-12 of it: changes add up to about 1 over all rounds.
  CHECK((simulate(bench, with(adagrad, 2e6)).w.back() - plain.back()).norm() < 1e-11);
}

TEST_CASE("a round without answers, or without weight, leaves model and moments as they are") {
  for (const ServerOptimizerOptions& optimizer :
       {ServerOptimizerOptions(ServerSgdOptions{.momentum = 0.9}), ServerOptimizerOptions(ServerAdamOptions())}) {
    Bench bench = lost_rounds(random_problem(40, 4), 8);  // nobody answers in rounds 1, 3 and 6
    const auto w = simulate(bench, with(optimizer, 0.1)).w;
    for (const std::size_t t : {1u, 3u, 6u}) CHECK(w[t] == w[t - 1]);
    bench.model.participation = std::make_shared<const ListedParticipation>(
        std::vector<std::vector<AgentId>>{{1, 2}, {2}, {1, 2}, {1}, {1, 2}});
    bench.rounds = 5;
    const auto without = simulate(bench, with(optimizer, 0.1)).w;
    CHECK(w[8] == without[5]);

    FedAvgOptions weightless = with(optimizer, 0.1);
    weightless.weights = {0.5, 0.5, 0};
    Bench asked = three_clients(3);
    asked.model.participation =
        std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1, 2}, {3}, {1, 2}});
    const auto of_weights = simulate(asked, weightless).w;
    CHECK(of_weights[2] == of_weights[1]);
    CHECK(of_weights[3] != of_weights[2]);
  }
}

TEST_CASE("answers may weigh alike, however many samples their clients have") {
  Bench bench = three_clients(4);
  bench.model.participation = std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1, 3}});
  FedAvgOptions equal = with({});
  equal.server.answer_weights = AnswerWeights::equal;
  FedAvgOptions given = with({});
  given.weights = {0.25, 0.5, 0.25};
  const auto got = simulate(bench, equal).w;
  CHECK(got == simulate(bench, given).w);
  CHECK(got != simulate(bench, with({})).w);
}

TEST_CASE("a server optimizer costs its flops for each entry, and no bytes") {
  const Bench bench = three_clients(5);
  const auto flops = [&](const ServerOptimizerOptions& optimizer) {
    const Result result = simulate(bench, with(optimizer, 0.1));
    CHECK(result.ledger.agent(0).bytes_sent == 5 * 3 * 4 * 8);
    return result.ledger.agent(0).flops;
  };
  const Flops mean = 5 * 2 * 3 * 4;
  CHECK(flops(ServerSgdOptions{}) == mean);
  CHECK(flops(ServerSgdOptions{.momentum = 0.5}) == mean + 5 * 4 * 4);
  CHECK(flops(ServerAdagradOptions()) == mean + 5 * 10 * 4);
  CHECK(flops(ServerAdamOptions()) == mean + 5 * 12 * 4);
  CHECK(flops(ServerYogiOptions()) == mean + 5 * 14 * 4);
}

TEST_CASE("a second moment that starts below tau^2 is warned of") {
  ServerAdamOptions adam;
  const auto warnings = [&] { return make_algorithm(with(adam), three_clients().assignment())->warnings(); };
  CHECK(warnings().empty());
  adam.v0 = 1e-6;
  CHECK(warnings().empty());
  adam.v0 = 0.9e-6;
  REQUIRE(warnings().size() == 1);
  CHECK(warnings()[0].code == "small_v0");
}

}  // namespace lagnet::server_update_test
