#include "algorithms/hybrid/hybrid_fed_avg.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::hybrid_fed_avg_test {

using namespace lagnet::test;

TEST_CASE("clients continue from the server's model with partial inner products, and a feature without answers stays") {
  // Both clients have both samples, (1, 2) with y = 1 and (3, 4) with y = -1, of which each sees one feature.
  const MethodInput given = hybrid(Matrix{{1, 2}, {3, 4}}, Vector{{1, -1}}, 0.5, {{{0, 1}, {0}}, {{0, 1}, {1}}}, 2);
  const HybridRun got = hybrid_run(in_turn<HybridFedAvgOptions>(2), given, {{1, 2}, {1}});
  // Rate 1/8: client 1 goes to 1/8, and on to 1/8 (1 - 1/16) - 1/8 * 3 (3/8 + 1); whole multiples of powers of 2.
  CHECK(got.parts[1][0][0] == 0.1171875 - 0.515625);
  // Client 2 goes to 1/4, and on to 1/4 (1 - 1/16) - 1/8 * 4 (1 + 1).
  CHECK(got.parts[1][0][1] == 0.234375 - 1);
  const double r = rate(2);
  double w = got.parts[1][0][0];
  w = w * (1 - r / 2) - r * (w - 1);
  w = w * (1 - r / 2) - r * 3 * (3 * w + 1);
  CHECK(got.parts[2][0][0] == Approx(w).margin(1e-15));  // four roundings of numbers below 1
  CHECK(got.parts[2][0][1] == got.parts[1][0][1]);
}

}  // namespace lagnet::hybrid_fed_avg_test
