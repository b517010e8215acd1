#include "algorithms/asynchronous/async_admm.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "algorithms/objectives/losses/losses.hpp"
#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"

namespace lagnet::async_admm_test {

using namespace lagnet::test;

TEST_CASE(
    "asynchronous ADMM that waits for all clients, or for none older than a round, is consensus ADMM bit by bit") {
  const Bench bench = three_clients(lasso(40, 4, 0.1), 40);
  const auto want = simulate(bench, ConsensusAdmmOptions{.penalty = 0.3}).w;
  for (const AsyncAdmmOptions& options :
       {AsyncAdmmOptions{.penalty = 0.3, .least = 3}, AsyncAdmmOptions{.penalty = 0.3, .least = 1, .max_delay = 1}}) {
    const auto got = simulate(bench, options).w;
    for (std::size_t t = 0; t <= 40; ++t) CHECK(got[t] == want[t]);
  }
}

TEST_CASE("a round of asynchronous ADMM closes with enough answers, and with those of clients that are due") {
  // Round trips of 2, 3.4 and 9.8 ms: with one answer a round is due every time, but the third client must be in every
  // third round at least.
  const Bench bench = three_clients(random_problem(40, 4), 9);
  const Log log = simulate(bench, AsyncAdmmOptions{.penalty = 0.3, .least = 1, .max_delay = 3}).log;
  std::vector<Round> used;  // the rounds that the third client was in
  Round present = 0;
  for (const SimEvent& what : log.all) {
    if (what.what == EventKind::reported) present = what.round;
    if (what.what == EventKind::sent && what.agent == 0 && what.peer == 3) used.push_back(present);
  }
  REQUIRE(used.size() >= 3);
  CHECK(used[0] == 0);
  CHECK(used[1] == 3);
  for (std::size_t i = 1; i < used.size(); ++i) CHECK(used[i] - used[i - 1] <= 3);
}

TEST_CASE("asynchronous ADMM reaches the minimizer for any of its rules, by exact and inexact steps") {
  Bench bench = three_clients(lasso(40, 4, 0.2), 3000);
  const Vector best = minimizer(bench.problem);
  for (const std::int64_t S : {1, 2})
    for (const std::optional<std::int64_t> T : {std::optional<std::int64_t>{}, std::optional<std::int64_t>{4}})
      for (const double rho : {0.05, 0.5}) {
        const Vector w = simulate(bench, AsyncAdmmOptions{.penalty = rho, .least = S, .max_delay = T}).w.back();
        CHECK((w - best).norm() < 1e-6);  // the certificate's gap of 1e-10 bounds the distance by about its root
        for (Index i = 0; i < 4; ++i) CHECK((w[i] == 0) == (best[i] == 0));
      }
  bench.problem.loss = make_loss(HuberOptions{.threshold = 0.7});
  const AsyncAdmmOptions inexact{
      .penalty = 0.2, .least = 1, .local_minimizer = LocalMinimizer::gradient, .accuracy = 1e-11};
  CHECK((simulate(bench, inexact).w.back() - minimizer(bench.problem)).norm() < 1e-6);
}

TEST_CASE("asynchronous ADMM refuses more clients in a round than there are, and losses that its steps cannot handle") {
  Bench bench{.problem = random_problem(20, 4), .sizes = {8, 12}, .rounds = 1};
  const auto refusal = [&bench](const AsyncAdmmOptions& options) -> std::string {
    try {
      make_algorithm(options, bench.assignment());
    } catch (const Diagnosed& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal({.penalty = 1, .least = 2}).empty());
  CHECK(refusal({.penalty = 1, .least = 3}).find("at most 2, the number of clients") != std::string::npos);
  bench.problem.loss = make_loss(HuberOptions{});
  CHECK(refusal({.penalty = 1}).find("only least squares") != std::string::npos);
  CHECK(refusal({.penalty = 1, .local_minimizer = LocalMinimizer::gradient}).empty());
  bench.problem.loss = make_loss(HingeOptions{});
  CHECK_FALSE(refusal({.penalty = 1, .local_minimizer = LocalMinimizer::gradient}).empty());
}

}  // namespace lagnet::async_admm_test
