#include "algorithms/local/dual_solvers.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/objectives/soft_threshold.hpp"
#include "tests/unit/algorithms/dual/saddle_bench.hpp"

namespace lagnet::dual_solvers_test {

TEST_CASE("steps at once end where as many single steps end, on either side of the threshold and across it") {
  const double Lam = 0.3, tau = 2.5, P = Lam + 1 / tau;
  std::vector<double> powers{1};
  for (int m = 1; m <= 60; ++m) powers.push_back(powers.back() / (tau * P));
  for (const double t : {0.05, 0.7})
    for (const double s : {-3.0, -0.8, -0.7, -0.02, 0.0, 0.03, 0.7, 1.2})
      for (const double start : {-40.0, -1.0, -1e-3, 0.0, 2e-3, 0.9, 25.0}) {
        const IdleSteps idle{.tau = tau, .Lam = Lam, .t = t, .powers = powers};
        double x = start;
        for (std::size_t m = 1; m <= 60; ++m) {
          const double last = x;
          x = soft_threshold(x / tau + s, t) / P;
          const auto [at_once, before] = idle.after(m, start, s);
          CAPTURE(t, s, start, m);
          // Sixty contractions keep a rounding of the start's size, and lose none.
          CHECK(std::abs(at_once - x) <= 1e-14 * std::max(1.0, std::abs(start)));
          CHECK(std::abs(before - last) <= 1e-14 * std::max(1.0, std::abs(start)));
        }
      }
}

using namespace lagnet::test;

TEST_CASE("SPDC and coordinate ascent come to the exact solution of a local problem") {
  const Problem problem = saddle_problem(20, 5, 0.1, make_loss(LogisticOptions{}));
  const auto rows = std::make_shared<const SampleRows>(*problem.X, problem.y);
  const RowBlock samples(rows, 3, 9);
  const Vector start = Vector::Constant(5, 0.3), x0 = Vector::Constant(5, -0.2);
  const LocalProblem local{
      .samples = samples, .loss = *problem.loss, .n = 20, .M = 0.7, .rho = 0.2, .start = start, .x0 = x0};
  std::vector<Index> order;
  for (Index h = 0; h < 9 * 400; ++h) order.push_back(h % 9);
  Vector exact = Vector::Zero(9), ascent = exact, spdc = exact;
  ExactAscent().solve(local, {}, exact);
  DualAscent().solve(local, order, ascent);
  Spdc(1, 4).solve(local, order, spdc);
  CHECK((ascent - exact).norm() <= 1e-13);  // linear convergence to rounding
  CHECK((spdc - exact).norm() <= 1e-13);
  CHECK(exact.norm() > 0.1);
}

}  // namespace lagnet::dual_solvers_test
