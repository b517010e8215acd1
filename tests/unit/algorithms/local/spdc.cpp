#include "algorithms/local/spdc.hpp"
#include "algorithms/local/dual_ascent.hpp"
#include "tests/unit/algorithms/dual/saddle_bench.hpp"

namespace lagnet::spdc_test {

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

}  // namespace lagnet::spdc_test
