#include "algorithms/federated/fed_mid.hpp"

#include "algorithms/central/solve_centrally.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::fed_mid_test {

using namespace lagnet::test;

TEST_CASE("mirror descent of one client with one step has the minimizer for twice the regularizer as its limit") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {40}, .rounds = 600};
  Problem twice = bench.problem;
  twice.regularizer = make_regularizer(L1Options{.weight = 0.4});
  FedMidOptions options{{.client_step = 0.2}};
  // 600 steps contract by (1 - 0.2 * 0.3)^600 = 1e-16.
  CHECK((simulate(bench, options).w.back() - minimizer(twice)).norm() < 1e-12);
  options.server_prox = ServerProx::none;
  CHECK((simulate(bench, options).w.back() - minimizer(bench.problem)).norm() < 1e-12);
}

TEST_CASE("mirror descent of one client has a limit for 2 lambda, or (1 + 1/E) lambda, up to its step") {
  const Index E = 4;
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {40}, .rounds = 4000};
  const auto distance = [&](ServerProx form, double eta, double times) {
    Problem counted = bench.problem;
    counted.regularizer = make_regularizer(L1Options{.weight = 0.2 * times});
    const Optimum best = solve_centrally(counted);
    REQUIRE(best.certified());
    const FedMidOptions options{{.local_steps = E, .client_step = eta}, form};
    return (simulate(bench, options).w.back() - best.theta).norm();
  };
  for (const auto& [form, times] : {std::pair(ServerProx::steps, 2.0), {ServerProx::single, 1.25}}) {
    // 16000 steps of 0.01 contract by far more than 1e-12; what is left is the bias, linear in the step.
    const double far = distance(form, 0.02, times), near = distance(form, 0.01, times);
    CHECK(far / near == Approx(2).epsilon(0.1));
    CHECK(near < distance(form, 0.01, times == 2 ? 1.25 : 2.0) / 10);
  }
  bench.rounds = 5;
  const auto iterates = [&](ServerProx form) {
    return simulate(bench, FedMidOptions{{.local_steps = 1, .client_step = 0.1}, form}).w;
  };
  CHECK(iterates(ServerProx::steps) == iterates(ServerProx::single));  // with E = 1
}

}  // namespace lagnet::fed_mid_test
