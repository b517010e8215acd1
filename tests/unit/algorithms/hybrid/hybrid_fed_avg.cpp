#include "algorithms/hybrid/hybrid_fed_avg.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "algorithms/hybrid/hyfem.hpp"
#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::hybrid_fed_avg_test {

using namespace lagnet::test;

namespace {

HybridFedAvgOptions options(std::int64_t H) {
  HybridFedAvgOptions made;
  made.local_steps = H;
  made.picker = SamplePicker::cyclic;
  made.a = 0.25;
  made.b = 1;
  return made;
}

double rate(double t) { return 0.25 / (1 + std::sqrt(t)); }

}  // namespace

TEST_CASE("clients go on from the server's model with partial inner products, and a feature nobody brings stays") {
  // Both clients have both samples, (1, 2) with y = 1 and (3, 4) with y = -1, of which each sees one feature.
  const MethodInput given = hybrid(Matrix{{1, 2}, {3, 4}}, Vector{{1, -1}}, 0.5, {{{0, 1}, {0}}, {{0, 1}, {1}}}, 2);
  const HybridRun got = hybrid_run(options(2), given, {{1, 2}, {1}});
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

TEST_CASE("the server takes the plain mean over those of a feature's holders who came") {
  // One feature; client 1 has x = 1, y = 1, client 2 has x = 2, y = -1; the first rate is 1/8.
  const MethodInput given = hybrid(Vector{{1, 2}}, Vector{{1, -1}}, 0.5, {{{0}, {0}}, {{1}, {0}}}, 2);
  const HybridRun got = hybrid_run(options(1), given, {{1, 2}, {2}});
  CHECK(got.parts[1][0][0] == (0.125 - 0.25) / 2);
  const double w = -0.0625, r = rate(2);
  // From the mean, not from a model of its own.
  CHECK(got.parts[2][0][0] == Approx(w * (1 - r / 2) - r * 2 * (2 * w + 1)).margin(1e-15));
}

TEST_CASE("an iteration without anybody leaves the model and the clock as they are") {
  // Client 2 holds nothing, and does not answer.
  const MethodInput given = hybrid(Vector{{1, 2}}, Vector{{1, -1}}, 0.5, {{{0, 1}, {0}}, {{}, {0}}}, 4);
  const std::vector<std::vector<AgentId>> rounds{{1, 2}, {}, {2}, {1}};
  HyfemOptions matching;
  matching.local_steps = 1;
  matching.a = 0.25;
  for (const HybridRun& got : {hybrid_run(options(1), given, rounds), hybrid_run(matching, given, rounds)}) {
    REQUIRE(got.parts.size() == 5);
    CHECK(got.parts[1][0] != got.parts[0][0]);
    for (const std::size_t t : {2u, 3u}) {
      CHECK(got.parts[t][0] == got.parts[1][0]);
      CHECK(got.times[t] == got.times[1]);
    }
    CHECK(got.parts[4][0] != got.parts[3][0]);
  }
}

TEST_CASE("H is the share iic of the samples for each client, rounded up but for rounding errors") {
  const auto H = [](double iic, Index samples, Index clients) {
    const Matrix X = Matrix::Ones(samples, clients);
    std::vector<Index> all(static_cast<std::size_t>(samples));
    std::iota(all.begin(), all.end(), Index{0});
    std::vector<Places> places;
    for (Index k = 0; k < clients; ++k) places.push_back({all, {k}});
    HybridFedAvgOptions ratio;
    ratio.iic = iic;
    ratio.a = 1;
    return make_algorithm(ratio, hybrid(X, Vector::Ones(samples), 1, places, 1))->constants().at(1).second;
  };
  CHECK(H(0.07, 100, 1) == 7);  // 0.07 * 100 is above 7 in doubles
  CHECK(H(0.07, 101, 1) == 8);
  CHECK(H(0.5, 9, 3) == 2);
  CHECK(H(1e-9, 9, 3) == 1);
}

}  // namespace lagnet::hybrid_fed_avg_test
