#include "algorithms/asynchronous/async_gradient.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"

namespace lagnet::async_gradient_test {

using namespace lagnet::test;

TEST_CASE("async_gradient with one client is proximal gradient descent") {
  const Bench bench{.problem = lasso(20, 4, 0.1), .sizes = {20}, .rounds = 50};
  for (const StaleRule rule : {StaleRule::constant, StaleRule::adaptive, StaleRule::drop}) {
    const auto w = simulate(bench, AsyncGradientOptions{.step = 0.2, .rule = rule}).w;
    Vector x = Vector::Zero(4);
    for (std::size_t t = 1; t <= 50; ++t) {
      x = bench.problem.regularizer->prox(x - 0.2 * gradient_of(bench, 1, x), 0.2);
      CHECK((w[t] - x).norm() <= rounding_of(t));
    }
  }
}

TEST_CASE("async_gradient steps along stale gradients by each of its rules") {
  const Bench bench = three_clients(lasso(40, 4, 0.05), 60);
  const double eta = 0.05, L = 4;
  for (const StaleRule rule : {StaleRule::constant, StaleRule::adaptive, StaleRule::drop}) {
    AsyncGradientOptions options{.step = eta, .rule = rule};
    if (rule != StaleRule::constant) options.concurrency = 2;
    if (rule == StaleRule::adaptive) options.smoothness = L;
    const auto w = simulate(bench, options).w;
    std::vector<Vector> x{Vector::Zero(4)};
    bool is_any_late = false;
    for (const auto& [k, version] : answers_in_order(three_latencies, 60)) {
      const double tau = static_cast<double>(std::ssize(x) - 1 - version);
      const bool is_late = tau > 2;
      is_any_late |= is_late;
      double gamma = eta;
      if (is_late && rule == StaleRule::adaptive) gamma = std::min(eta, 1 / (4 * L * tau));
      if (is_late && rule == StaleRule::drop) {
        x.push_back(x.back());
      } else {
        const Vector g = 3 * share_of(bench, k) * gradient_of(bench, k, x[static_cast<std::size_t>(version)]);
        x.push_back(bench.problem.regularizer->prox(x.back() - gamma * g, gamma));
      }
      CHECK((w[x.size() - 1] - x.back()).norm() <= rounding_of(x.size()));
    }
    CHECK(is_any_late);
  }
}

TEST_CASE(
    "with clients in turn async_gradient tends to the minimizer, with the one that answered to a reweighted one") {
  // Round trips of 1 to 3: the near client answers three times as often.
  const Problem problem = random_problem(40, 4);
  Bench bench = free_computation(problem, {20, 20}, 6000, {1'000'003, 3'000'013});
  const Vector best = minimizer(problem);
  Problem reweighted = problem;
  Matrix X = problem.X->dense();
  X.topRows(20) *= std::sqrt(1.5);
  X.bottomRows(20) *= std::sqrt(0.5);
  reweighted.X = std::make_shared<const DataMatrix>(X);
  reweighted.y.head(20) *= std::sqrt(1.5);
  reweighted.y.tail(20) *= std::sqrt(0.5);
  const Vector of_frequencies = minimizer(reweighted);
  REQUIRE((best - of_frequencies).norm() > 0.02);
  const auto limit = [&](double step, Assignment assignment) {
    return simulate(bench, AsyncGradientOptions{.step = step, .assignment = assignment}).w.back();
  };
  // What is left is of the order of the step.
  const double same = (limit(0.01, Assignment::same) - of_frequencies).norm();
  CHECK((limit(0.005, Assignment::same) - of_frequencies).norm() < 0.7 * same);
  CHECK(same < 0.2 * (best - of_frequencies).norm());
  CHECK((limit(0.01, Assignment::same) - best).norm() > 0.8 * (best - of_frequencies).norm());
  CHECK((limit(0.01, Assignment::cyclic) - best).norm() < 0.2 * (best - of_frequencies).norm());
}

TEST_CASE("the curvature of async_gradient's adaptive steps is that of the clients' parts times their number") {
  // Means of squares 1 and 4, weights 1/3 and 2/3 times 2.
  const Bench bench{.problem = problem_of(Matrix{{1}, {2}, {2}}, Vector{{1, 1, 1}}), .sizes = {1, 2}, .rounds = 1};
  const auto method =
      make_algorithm(AsyncGradientOptions{.step = 0.1, .rule = StaleRule::adaptive}, bench.assignment());
  double L = 0;
  for (const auto& [name, value] : method->constants())
    if (name == "smoothness") L = value;
  CHECK(L == Approx(16.0 / 3).epsilon(1e-12));
}

}  // namespace lagnet::async_gradient_test
