#include <cmath>

#include "algorithms/dual/cocoa_plus.hpp"
#include "tests/unit/algorithms/dual/saddle_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::cocoa_plus_test {

using namespace lagnet::test;

TEST_CASE("with the safe sigma' the dual objective of CoCoA+ and of CoCoA never falls, and both converge") {
  for (const auto& loss : saddle_losses()) {
    const Bench bench = saddle_bench(loss, 0.05, 300);
    const auto check = [&](const Algorithm& method) {
      const Result result = simulate(bench, method);
      double before = -1e300;
      for (std::size_t t = 0; t < result.parts.size(); ++t) {
        const std::vector<std::vector<Vector>> report{result.parts[t]};
        const double dual = *method.evaluate(static_cast<Round>(t), report, {}).metrics[0];
        CHECK(dual >= before - 1e-14);  // rounding of numbers of size 1
        before = dual;
      }
      return may_miss_rounds(bench, method, result).back();
    };
    CAPTURE(loss->kind());
    CHECK(check(*make_algorithm(CocoaPlusOptions{}, bench.assignment())) <= 1e-3);
    CHECK(check(*make_algorithm(CocoaOptions{}, bench.assignment())) <= 1e-2);
  }
}

TEST_CASE("CoCoA is CoCoA+ with nu = 1/K and sigma' = 1") {
  const Bench bench = saddle_bench(make_loss(LogisticOptions{}), 0.05, 10);
  CocoaPlusOptions options;
  options.nu = 1 / 3.0;
  options.sigma_prime = 1;
  CHECK(largest_difference(simulate(bench, options), simulate(bench, CocoaOptions{})) == 0);
}

TEST_CASE("a dual that CoCoA averages with 0 ends at 0, and not among subnormal numbers") {
  Bench bench{.problem = saddle_problem(60, 3, 0.01, make_loss(HingeOptions{})), .sizes = {20, 25, 15}, .rounds = 2500};
  const Result result = simulate(bench, with_steps(CocoaOptions{}, 60, StepOrder::cyclic));
  const Vector &early = result.parts[20][1], &last = result.parts.back()[1];
  Index ended = 0;
  for (Index i = 0; i < early.size(); ++i) {
    CHECK((last[i] == 0 || std::isnormal(last[i])));
    ended += early[i] != 0 && last[i] == 0;
  }
  CHECK(ended > 0);  // 2/3 to the power 2,500 is 0 in double precision; see flush_subnormals.hpp
}

}  // namespace lagnet::cocoa_plus_test
