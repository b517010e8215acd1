#include "algorithms/hybrid/hyfem.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::hyfem_test {

using namespace lagnet::test;

namespace {

HyfemOptions options(double mu, std::int64_t H = 1) {
  auto made = in_turn<HyfemOptions>(H);
  made.mu = mu;
  return made;
}

// Sums of a few terms of size 1, each rounded.
constexpr double rounding = 1e-15;

}  // namespace

TEST_CASE("clients that share a feature keep their own models, pulled to the mean of the answers") {
  // One feature; client 1 has x = 1, y = 1, client 2 has x = 2, y = -1; lambda 0.5, mu 2.
  const MethodInput given = hybrid(Vector{{1, 2}}, Vector{{1, -1}}, 0.5, {{{0}, {0}}, {{1}, {0}}}, 3);
  const HybridRun got = hybrid_run(options(2), given, {{1, 2}, {1}, {2}});
  CHECK(got.parts[0][0][0] == 0);
  // From 0 with the rate 1/8: w_1 = 1/8 and w_2 = -1/8 * 2.
  CHECK(got.parts[1][0][0] == -0.0625);
  // Client 1 alone: 1/8 - r (0.5 / 8 + 2 (1/8 + 1/16) + (1/8 - 1)).
  const double second = 0.125 + 0.4375 * rate(2);
  CHECK(got.parts[2][0][0] == Approx(second).margin(rounding));
  // Client 2 alone, which goes on from its own -1/4: -1/4 - r (-0.5 / 4 + 2 (-1/4 - w0) + 2 (-1/2 + 1)).
  CHECK(got.parts[3][0][0] == Approx(-0.25 - rate(3) * (0.375 - 2 * second)).margin(rounding));
}

TEST_CASE("within an iteration the pull is to the model that came, and inner products are of the client's features") {
  // Both clients have both samples, (1, 2) with y = 1 and (3, 4) with y = -1, of which each sees one feature.
  const MethodInput given = hybrid(Matrix{{1, 2}, {3, 4}}, Vector{{1, -1}}, 0.5, {{{0, 1}, {0}}, {{0, 1}, {1}}}, 2);
  const HybridRun got = hybrid_run(options(2, 2), given, {{1, 2}, {1}});
  // Rate 1/8, w0 = 0: client 1 goes to 1/8, and on to 1/8 - 1/8 ((0.5 + 2) / 8 + 3 (3/8 + 1)).
  CHECK(got.parts[1][0][0] == Approx(0.125 - (0.3125 + 4.125) / 8).margin(rounding));
  // Client 2 goes to 1/4, and on to 1/4 - 1/8 ((0.5 + 2) / 4 + 4 (1 + 1)).
  CHECK(got.parts[1][0][1] == Approx(0.25 - (0.625 + 8) / 8).margin(rounding));
  const double w0 = got.parts[1][0][0], r = rate(2);
  double w = w0 - r * (0.5 * w0 + w0 - 1);
  w -= r * (0.5 * w + 2 * (w - w0) + 3 * (3 * w + 1));
  CHECK(got.parts[2][0][0] == Approx(w).margin(rounding));
  CHECK(got.parts[2][0][1] == got.parts[1][0][1]);  // no client with the second feature came
}

TEST_CASE("a first rate that drives models apart is warned of") {
  const MethodInput given = hybrid(Vector{{1, 2}}, Vector{{1, -1}}, 0.5, {{{0}, {0}}, {{1}, {0}}}, 1);
  CHECK(make_algorithm(options(15), given)->warnings().empty());  // 1/8 (0.5 + 15) < 2
  CHECK(texts_of(make_algorithm(options(15.5), given)->warnings()) ==
        std::vector<std::string>{"lr_1 (lambda + mu) = 2 is not below 2: the first iterations drive the models apart"});
}

}  // namespace lagnet::hyfem_test
