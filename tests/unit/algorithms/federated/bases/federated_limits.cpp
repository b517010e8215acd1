#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_dual_avg.hpp"
#include "algorithms/federated/fed_mid.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::federated_limits_test {

using namespace lagnet::test;

namespace {

constexpr double mu = 0.2;

}  // namespace

TEST_CASE("with one local step of all samples the dual averaging methods reach the exact minimizer") {
  const auto errors = [](const Bench& bench, std::size_t t) {
    const Vector best = minimizer(bench.problem);
    return std::vector<double>{(simulate(bench, FedDualAvgOptions{{.client_step = 0.2}}).w[t] - best).norm(),
                               (simulate(bench, FastFedDaOptions{{.mu = mu, .gamma = 5}}).w[t] - best).norm(),
                               (simulate(bench, CFedDaOptions{{{.mu = mu, .gamma = 5}}}).w[t] - best).norm()};
  };
  const std::vector<Bench> both = benches(1600);
  // With an l1 norm each step contracts by a factor below 1 - mu / L: rounding is left, and that of the optimum.
  for (const double error : errors(both[0], 1600)) CHECK(error < 1e-12);
  // With a nuclear norm turning a singular vector of z becomes harder as z grows like t: the error falls like a power.
  const auto early = errors(both[1], 400), late = errors(both[1], 1600);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(late[k] < 2e-5);
    CHECK(late[k] < early[k] / 4);  // at least like 1 / t
  }
}

TEST_CASE("with several local steps of clients that differ, the error of the fast methods falls like 1/t") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 1600};
  const Vector best = minimizer(bench.problem);
  const auto ratio = [&](const auto& options) {
    const auto w = simulate(bench, options).w;
    CHECK((w[1600] - best).norm() < 0.02);
    return (w[400] - best).norm() / (w[1600] - best).norm();
  };
  FastFedDaOptions fast{{.mu = mu, .gamma = 10}, /*local_steps=*/5};
  CFedDaOptions constrained{{{.mu = mu, .gamma = 2}}, /*local_steps=*/5};
  // From T to 4 T it quarters, up to terms that fall faster.
  CHECK(ratio(fast) == Approx(4).epsilon(0.1));
  CHECK(ratio(constrained) == Approx(4).epsilon(0.1));
  FedDualAvgOptions biased{{.local_steps = 5, .client_step = 0.02}};
  const double bias = (simulate(bench, biased).w.back() - best).norm();
  biased.client_step = 0.01;
  CHECK(bias / (simulate(bench, biased).w.back() - best).norm() == Approx(2).epsilon(0.2));  // linear in eta_c
}

TEST_CASE("iterates keep to the Euclidean ball, from its boundary too") {
  Bench bench{.problem = lasso(40, 4, 0.05), .sizes = {5, 15, 20}, .rounds = 20};
  bench.start = Vector::Constant(4, 0.1);  // of norm 0.2
  const auto kept = [&](const auto& options) {
    double largest = 0;
    for (const Vector& w : simulate(bench, options).w) largest = std::max(largest, w.norm());
    CHECK(largest <= 0.2 * (1 + 1e-14));  // the rounding of a factor
  };
  kept(FedMidOptions{{.local_steps = 3, .client_step = 0.2}, ServerProx::steps, /*rho=*/0.2});
  kept(FedDualAvgOptions{{.local_steps = 3, .client_step = 0.2}, /*rho=*/0.2});
  FastFedDaOptions fast{{.mu = mu, .gamma = 5}, /*local_steps=*/3};
  fast.rho = 0.2;
  kept(fast);
  CFedDaOptions constrained{{{.mu = mu, .gamma = 5}}, /*local_steps=*/3};
  constrained.rho = 0.2;
  constrained.epsilon = 0.3;
  kept(constrained);
}

TEST_CASE("one client, one sample, one entry: each method runs, and its model stays finite") {
  Bench bench{.problem = low_rank(1, 1, 1, 0.1), .sizes = {1}, .rounds = 10};
  const auto finite = [&](const auto& options) { CHECK(simulate(bench, options).w.back().allFinite()); };
  finite(ScaffoldOptions{{.client_step = 0.1}});
  finite(FedMidOptions{{.client_step = 0.1}});
  finite(FedDualAvgOptions{{.client_step = 0.1}});
  finite(FastFedDaOptions{{.mu = mu, .gamma = 5}});
  finite(CFedDaOptions{{{.mu = mu, .gamma = 5}}});
}

}  // namespace lagnet::federated_limits_test
