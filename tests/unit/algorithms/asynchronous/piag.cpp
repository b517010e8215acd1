#include "algorithms/asynchronous/piag.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"

namespace lagnet::piag_test {

using namespace lagnet::test;

namespace {

PiagOptions fixed(double step) { return {.rule = DelayRule::fixed, .step = step}; }

}  // namespace

TEST_CASE("PIAG with one client is proximal gradient descent") {
  const Bench bench{.problem = lasso(20, 4, 0.1), .sizes = {20}, .rounds = 50};
  const auto fixed_steps = simulate(bench, fixed(0.2)).w;
  const auto adaptive = simulate(bench, PiagOptions{.rule = DelayRule::adaptive1, .step = 0.2 / 0.9}).w;
  const auto halves = simulate(bench, PiagOptions{.rule = DelayRule::adaptive2, .step = 0.2}).w;
  Vector x = Vector::Zero(4);
  for (std::size_t t = 1; t <= 50; ++t) {
    x = bench.problem.regularizer->prox(x - 0.2 * gradient_of(bench, 1, x), 0.2);
    for (const auto* w : {&fixed_steps, &adaptive, &halves}) CHECK(((*w)[t] - x).norm() <= rounding_of(t));
  }
}

TEST_CASE("PIAG waits for all first gradients, steps once for them and hands the model to all, then steps on each") {
  const Bench bench = three_clients(lasso(40, 4, 0.05), 80);
  const double gamma = 0.05;
  const Result result = simulate(bench, fixed(gamma));
  // The first gradients are there when that of the farthest client is; all are answered then.
  std::vector<Vector> x{Vector::Zero(4)};
  std::vector<Vector> g(4, Vector::Zero(4));
  const auto step = [&] {
    Vector G = Vector::Zero(4);
    for (AgentId k = 1; k <= 3; ++k) G += share_of(bench, k) * g[k];
    x.push_back(bench.problem.regularizer->prox(x.back() - gamma * G, gamma));
    CHECK((result.w[x.size() - 1] - x.back()).norm() <= rounding_of(5 * x.size()));
  };
  for (AgentId k = 1; k <= 3; ++k) g[k] = gradient_of(bench, k, x[0]);
  step();
  for (const auto& [k, version] : answers_in_order(three_latencies, 79)) {
    g[k] = gradient_of(bench, k, x[static_cast<std::size_t>(version) + 1]);
    step();
  }
  CHECK(x.size() == result.w.size());
}

TEST_CASE("PIAG's adaptive steps are the remainder left by the last steps") {
  DelayedSteps first(DelayRule::adaptive1, 1);
  CHECK(first.next(0) == Approx(0.9));
  CHECK(first.next(1) == Approx(0.9 * 0.1));
  CHECK(first.next(1) == Approx(0.9 * 0.91));  // of the last one alone
  CHECK(first.next(3) == 0);                   // of 1.809
  DelayedSteps second(DelayRule::adaptive2, 1);
  CHECK(second.next(0) == 1);
  CHECK(second.next(1) == 0);    // 1 + 1/2 is above 1
  CHECK(second.next(1) == 0.5);  // 0 + 1/2
  CHECK(second.next(1) == 0.5);
  CHECK(second.next(3) == 0);  // 1 + 1/4
  CHECK(second.next(1) == 0.5);
  DelayedSteps constant(DelayRule::fixed, 0.3);
  CHECK(constant.next(0) == 0.3);
  CHECK(constant.next(1) == 0.3);
}

TEST_CASE("PIAG reaches the minimizer whatever the speeds, by each of its rules") {
  const Bench bench = three_clients(lasso(40, 4, 0.2), 20000);
  const Vector best = minimizer(bench.problem);
  for (const PiagOptions& options : {fixed(0.1), PiagOptions{.rule = DelayRule::adaptive1, .step = 0.4},
                                     PiagOptions{.rule = DelayRule::adaptive2, .step = 0.4}}) {
    const Vector w = simulate(bench, options).w.back();
    CHECK((w - best).norm() < 1e-6);  // the certificate's gap of 1e-10 bounds the distance by about its root
    for (Index i = 0; i < 4; ++i) CHECK((w[i] == 0) == (best[i] == 0));
  }
}

}  // namespace lagnet::piag_test
