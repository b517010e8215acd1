#include "algorithms/federated/newton/dane.hpp"

#include "algorithms/federated/newton/giant.hpp"
#include "tests/unit/algorithms/federated/newton/newton_bench.hpp"

namespace lagnet::dane_test {

using namespace lagnet::test;

TEST_CASE("the mean of DANE's local minimizers is its next model") {
  for (const bool logistic : {false, true})
    for (const double mu : {0.0, 0.3})
      for (const double eta : {1.0, 0.6}) {
        CAPTURE(logistic, mu, eta);
        const Bench bench = newton_bench(6, logistic);
        const WrittenDown w{bench};
        const Result result = simulate(bench, DaneOptions{.mu = mu, .eta = eta});
        Vector x = Vector::Zero(4);
        for (std::size_t t = 1; t <= 6; ++t) {
          const Vector g = w.mean_gradient(x);  // (1)
          const auto local = [&](AgentId k) -> Vector {
            const Vector target = w.gradient(k, x) - eta * g;
            Vector z = x;
            for (int step = 0; step < 50; ++step)  // Newton's steps, which these problems need no damping for
              z -=
                  (w.hessian(k, z) + mu * Matrix::Identity(4, 4)).llt().solve(w.gradient(k, z) + mu * (z - x) - target);
            return z;  // (2)
          };
          x = w.mean(local);                        // (3)
          CHECK((result.w[t] - x).norm() < 1e-11);  // 1e-13 of gradients over curvatures of 0.1
        }
      }
}

TEST_CASE("DANE without mu is GIANT for least squares") {
  const Bench bench = newton_bench(12);
  const auto dane = simulate(bench, DaneOptions{}).w, giant = simulate(bench, GiantOptions{}).w;
  for (std::size_t t = 0; t <= 12; ++t) CHECK((dane[t] - giant[t]).norm() < 1e-13);
}

TEST_CASE("DANE needs a mu where clients differ much") {
  Bench bench = newton_bench(400, false, 0.02);
  bench.sizes = {4, 4, 32};
  CHECK(distance(simulate(bench, DaneOptions{}).w[60], bench) > 1);
  CHECK(distance(simulate(bench, DaneOptions{.mu = 1}).w[400], bench) < 1e-9);
}

TEST_CASE("DANE bills a factor once and a solution in each round") {
  const Index d = 4, rounds = 5, m = 3;
  for (const double mu : {0.0, 0.3}) {
    const Bench bench = newton_bench(rounds);
    const Dane method({.mu = mu}, bench.assignment());
    const Result result = simulate(bench, method);
    for (AgentId k = 1; k <= 3; ++k) {
      const Index n = bench.sizes[k - 1], gradient = 4 * n * d + n + d + 2 * d;
      CHECK(result.ledger.agent(k).flops == n * d * (d + 1) + d + d * d * d / 3 + rounds * (gradient + 2 * d * d + d));
      CHECK(result.ledger.agent(k).bytes_sent == rounds * 16 * d);
    }
    CHECK(result.ledger.agent(0).flops == rounds * 4 * m * d);
    CHECK(result.ledger.agent(0).bytes_sent == rounds * m * 16 * d);
    check_timing(bench, method, result);
  }
}

TEST_CASE("DANE refuses local problems without curvature, and Newton's steps without numbers") {
  MethodInput timing = newton_bench(1, true).assignment();
  timing.timing_only = true;
  CHECK_THROWS_WITH(Dane({}, timing),
                    "kind: expected the squared loss with numerics off, since Newton's steps depend on the numbers, "
                    "found logistic");
  CHECK_THROWS_WITH(Dane({}, newton_bench(1, true, 0).assignment()), Catch::Contains("may be singular"));
  CHECK_NOTHROW(Dane({.mu = 0.1}, newton_bench(1, true, 0).assignment()));
}

}  // namespace lagnet::dane_test
