#include "algorithms/federated/newton/giant.hpp"

#include "tests/unit/algorithms/federated/newton/newton_bench.hpp"

namespace lagnet::giant_test {

using namespace lagnet::test;

TEST_CASE("GIANT is a plain loop") {
  for (const bool logistic : {false, true})
    for (const bool searches : {false, true}) {
      const Bench bench = newton_bench(8, logistic);
      const WrittenDown w{bench};
      const Result result = simulate(bench, GiantOptions{.line_search = searches});
      Vector x = Vector::Zero(4);
      for (std::size_t t = 1; t <= 8; ++t) {
        const Vector g = w.mean_gradient(x);                                                           // (1)
        const Vector p = w.mean([&](AgentId k) -> Vector { return w.hessian(k, x).llt().solve(g); });  // (2)
        x -= (searches ? w.searched(x, p, 0.25, 6, 0.1) : 1) * p;                                      // (3)
        CHECK((result.w[t] - x).norm() < 1e-12);  // Hessians have condition numbers of about 40
      }
    }
}

TEST_CASE("GIANT converges linearly where clients are alike, and in one step where they are the same") {
  const Bench bench = newton_bench(40, true);
  CHECK(distance(simulate(bench, GiantOptions{}).w[40], bench) < 1e-10);
  Bench same = newton_bench(1);
  const Matrix A = random_matrix(10, 4);
  Matrix X(30, 4);
  X << A, A, A;
  same.problem.X = std::make_shared<const DataMatrix>(X);
  same.problem.y = same.problem.y.head(30).eval();
  same.problem.samples = 30;
  same.sizes = {10, 10, 10};
  CHECK(distance(simulate(same, GiantOptions{}).w[1], same) < 1e-12);  // their labels may differ
}

TEST_CASE("a line search makes GIANT converge where clients differ too much") {
  Bench bench = newton_bench(300, false, 0.02);
  bench.sizes = {4, 4, 32};  // the first two have singular data
  const auto plain = simulate(bench, GiantOptions{}).w, searched = simulate(bench, GiantOptions{.line_search = true}).w;
  CHECK(distance(plain[60], bench) > distance(plain[0], bench));
  CHECK(distance(searched[300], bench) < 1e-6);  // values of F can be compared to 1e-15, so points to its root
}

TEST_CASE("losses that are repaired do not change what GIANT does") {
  const Bench bench = newton_bench(12, true);
  const Result in_losses = simulate(with_repaired_losses(bench), GiantOptions{.line_search = true});
  CHECK(in_losses.ledger.total().messages_lost > 0);
  CHECK(simulate(bench, GiantOptions{.line_search = true}).w == in_losses.w);  // bit for bit
}

TEST_CASE("a round of GIANT costs a Hessian and two round trips, a third one with a line search") {
  const Index d = 4, rounds = 5, m = 3;
  for (const bool logistic : {false, true})
    for (const bool searches : {false, true}) {
      const Bench bench = newton_bench(rounds, logistic);
      const Giant method({.line_search = searches}, bench.assignment());
      const Result result = simulate(bench, method);
      for (AgentId k = 1; k <= 3; ++k) {
        const Index n = bench.sizes[k - 1], gradient = 4 * n * d + n + d + 2 * d;
        const Flops hessian = n * d * (d + 1) + (logistic ? n * d + 4 * n : 0) + d;
        CHECK(result.ledger.agent(k).flops ==
              rounds * (gradient + hessian + d * d * d / 3 + 2 * d * d + (searches ? 2 * n * d + 28 * n : 0)));
        CHECK(result.ledger.agent(k).bytes_sent == rounds * (16 * d + (searches ? 56 : 0)));
      }
      CHECK(result.ledger.agent(0).flops == rounds * (4 * m * d + 2 * d));
      CHECK(result.ledger.agent(0).bytes_sent == rounds * m * 8 * d * (searches ? 3 : 2));
      check_timing(bench, method, result);
    }
}

TEST_CASE("GIANT refuses clients whose Hessians may be singular") {
  const auto construct = [](const Bench& bench) { const Giant method({}, bench.assignment()); };
  CHECK_THROWS_WITH(construct(newton_bench(1, true, 0)),
                    "kind: expected an l2 regularizer for giant, since the Hessian of agent 1's part may be singular, "
                    "found giant");
  Bench few = newton_bench(1, false, 0);
  CHECK_NOTHROW(construct(few));
  few.sizes = {3, 5, 32};
  CHECK_THROWS_WITH(construct(few), Catch::Contains("the Hessian of agent 1's part may be singular"));
}

}  // namespace lagnet::giant_test
