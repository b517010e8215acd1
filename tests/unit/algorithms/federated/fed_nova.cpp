#include "algorithms/federated/fed_nova.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_prox.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::fed_nova_test {

using namespace lagnet::test;

namespace {

using Lists = RoundCounts::Lists;

Bench three_clients(Round rounds = 5) {
  return {.problem = random_problem(40, 4, 0, 0.1), .sizes = {5, 15, 20}, .rounds = rounds};
}

FedNovaOptions nova(RoundCounts steps, double eta, double rho = 0, double mu = 0) {
  FedNovaOptions options{{.local_steps = std::move(steps), .client_step = eta}};
  options.momentum = rho;
  options.mu = mu;
  return options;
}

}  // namespace

TEST_CASE("two clients with one and two steps are as by hand") {
  // Gradients w - 2 and 2.5 w - 4; weights 1/3 and 2/3. d_1 = 0.2 / 1, d_2 = (0.4, then 0.4 + 0.3) / 2.
  const Bench bench{.problem = problem_of(Matrix{{1}, {1}, {2}}, Vector{{2, 4, 2}}), .sizes = {1, 2}};
  const RoundCounts steps(Lists{{1}, {2}});
  const double mean = (0.2 + 2 * 0.35) / 3;
  CHECK(simulate(bench, nova(steps, 0.1)).w[1][0] == Approx((1 + 2 * 2) / 3.0 * mean).epsilon(1e-14));
  FedNovaOptions given = nova(steps, 0.1);
  given.effective_steps = 4.0;
  given.server_step = 0.5;
  CHECK(simulate(bench, given).w[1][0] == Approx(0.5 * 4 * mean).epsilon(1e-14));
}

TEST_CASE("the sent norm counts how often gradients enter a client's model, with momentum and a proximal term") {
  // One client, whose gradient is always -1: x - w = eta a exactly, so that d = eta and a = tau_eff.
  Problem problem = problem_of(Matrix{{1}}, Vector{{1e9}});
  problem.X = std::make_shared<const DataMatrix>(Matrix{{1e-9}});
  const Bench bench{.problem = problem, .sizes = {1}, .rounds = 1};
  const auto norm = [&](Index tau, double rho, double mu) {
    return simulate(bench, nova(tau, 0.1, rho, mu)).w[1][0] / 0.1;
  };
  CHECK(norm(7, 0, 0) == Approx(7).epsilon(1e-12));
  CHECK(norm(7, 0.6, 0) == Approx((7 - 0.6 * (1 - std::pow(0.6, 7)) / 0.4) / 0.4).epsilon(1e-12));
  CHECK(norm(7, 0, 0.3) == Approx((1 - std::pow(1 - 0.03, 7)) / 0.03).epsilon(1e-12));
}

TEST_CASE("where all norms are equal it is fed_avg, or fed_prox, also with minibatches") {
  const Bench bench = three_clients(20);
  const auto alike = [&](const auto& one, const auto& other) {
    const auto got = simulate(bench, one).w, want = simulate(bench, other).w;
    // Changes are divided by a and multiplied with it again, at most 20 times.
    for (std::size_t t = 0; t < got.size(); ++t) CHECK((got[t] - want[t]).norm() < 1e-14);
  };
  FedNovaOptions plain = nova(3, 0.1);
  plain.batch = 4;
  alike(plain, FedAvgOptions{{.local_steps = 3, .batch = 4, .client_step = 0.1}});
  alike(nova(3, 0.1, 0, 0.5), FedProxOptions{{.local_steps = 3, .client_step = 0.1}, 0.5});
}

TEST_CASE("unequal steps leave the minimizer to fed_avg's bias, and fed_nova near it by the order of the step") {
  const Bench bench = three_clients(6000);
  const RoundCounts steps(Lists{{1}, {2}, {8}});
  const Vector best = minimizer(bench.problem);
  const auto distance = [&](const auto& options) { return (simulate(bench, options).w.back() - best).norm(); };
  const double coarse = distance(nova(steps, 0.04)), fine = distance(nova(steps, 0.01));
  const double average = distance(FedAvgOptions{{.local_steps = steps, .client_step = 0.01}});
  CHECK(fine < coarse / 3);  // the bias goes like the step: a fourth, within a third
  CHECK(fine < average / 10);
}

TEST_CASE("the server's steps follow the norms or numbers of steps of the answers that came") {
  Bench bench = three_clients(4);
  bench.model.participation =
      std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1, 2}, {3}});
  FedNovaOptions by_norm = nova(RoundCounts(Lists{{1}, {4}, {2}}), 0.1, 0.5), by_steps = by_norm;
  by_steps.effective_steps = EffectiveSteps::steps;
  const auto norm = simulate(bench, by_norm).w, tau = simulate(bench, by_steps).w;
  const auto a = [](Index n) { return (static_cast<double>(n) - 0.5 * (1 - std::pow(0.5, n)) / 0.5) / 0.5; };
  const double of_norm = 0.25 * a(1) + 0.75 * a(4), of_steps = 0.25 * 1 + 0.75 * 4;
  CHECK((norm[1] / of_norm - tau[1] / of_steps).norm() < 1e-14);
  // Answered by one client alone: with norms the round is its own.
  bench.model.participation = std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{3}});
  const Bench alone{.problem = problem_of(bench.problem.X->dense().bottomRows(20), bench.problem.y.tail(20),
                                          make_loss(SquaredOptions{}), 0, 0.1),
                    .sizes = {20},
                    .rounds = 4};
  CHECK((simulate(bench, nova(2, 0.1)).w.back() -
         simulate(alone, FedAvgOptions{{.local_steps = 2, .client_step = 0.1}}).w.back())
            .norm() < 1e-14);
}

TEST_CASE("a round costs the flops and bytes of the sheet") {
  const Index d = 4, rounds = 3;
  const Bench bench = three_clients(rounds);
  for (const double rho : {0.0, 0.5})
    for (const double mu : {0.0, 0.2}) {
      const Result result = simulate(bench, nova(RoundCounts(Lists{{1}, {4}, {2}}), 0.1, rho, mu));
      const Index tau[] = {1, 4, 2};
      for (AgentId k = 1; k <= 3; ++k) {
        const Index n = bench.sizes[k - 1];
        const Index step = 4 * n * d + n + d + 2 * d + 2 * d + (rho > 0 ? 2 * d : 0) + (mu > 0 ? 3 * d : 0);
        CHECK(result.ledger.agent(k).flops == rounds * (tau[k - 1] * step + 2 * d));
        CHECK(result.ledger.agent(k).bytes_sent == rounds * 8 * (d + 1));
      }
      CHECK(result.ledger.agent(0).flops == rounds * 2 * 3 * d);
      CHECK(result.ledger.agent(0).bytes_sent == rounds * 3 * 8 * d);
    }
}

TEST_CASE("a proximal weight that the step cannot bear is refused") {
  CHECK_THROWS_AS(make_algorithm(nova(2, 0.1, 0, 10), three_clients().assignment()), Diagnosed);
  CHECK_NOTHROW(make_algorithm(nova(2, 0.1, 0, 9.9), three_clients().assignment()));
}

}  // namespace lagnet::fed_nova_test
