#include <cmath>

#include "algorithms/dual/a_dispa.hpp"
#include "tests/unit/algorithms/dual/saddle_bench.hpp"

namespace lagnet::a_dispa_test {

using namespace lagnet::test;

TEST_CASE("A-DiSPA with no weight on z is DiSPA, and it keeps the momentum that it starts with by default") {
  const Bench bench = saddle_bench(make_loss(LogisticOptions{}), 0.05, 12);
  ADispaOptions options;
  options.tau = 0.8;
  options.sigma = 3;
  options.vt = 0;
  CHECK(largest_difference(simulate(bench, options), simulate(bench, dispa(0.8, 3))) == 0);

  // One round a stage: x^t and x^{t-1} give away z, which is the same beta of their difference at all times.
  options.vt = 0.15;
  options.rounds_per_stage = 1;
  const Result result = simulate(bench, options);
  const double q = 0.05 / 0.2, beta = (1 - std::sqrt(q)) / (1 + std::sqrt(q));
  for (std::size_t t = 2; t <= 12; ++t) {
    const Vector z = result.w[t - 1] + beta * (result.w[t - 1] - result.w[t - 2]);
    const Vector v = bench.problem.pulled_back(result.parts[t][1]);
    const Vector x = (result.w[t - 1] / 0.8 - v / 30 + 0.15 * z) / (0.2 + 1 / 0.8);
    CHECK((result.w[t] - x).norm() <= 1e-13);
  }
}

}  // namespace lagnet::a_dispa_test
