#include "algorithms/hybrid/hybrid_primal.hpp"

#include <catch2/catch.hpp>

#include "algorithms/hybrid/hybrid_fed_avg.hpp"
#include "algorithms/hybrid/hyfem.hpp"
#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"

namespace lagnet::hybrid_primal_test {

using namespace lagnet::test;

TEST_CASE("the server takes the plain mean over the answers of a feature's holders") {
  // One feature; client 1 has x = 1, y = 1, client 2 has x = 2, y = -1; the first rate is 1/8.
  const MethodInput given = hybrid(Vector{{1, 2}}, Vector{{1, -1}}, 0.5, {{{0}, {0}}, {{1}, {0}}}, 2);
  const HybridRun got = hybrid_run(in_turn<HybridFedAvgOptions>(1), given, {{1, 2}, {2}});
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
  for (const HybridRun& got :
       {hybrid_run(in_turn<HybridFedAvgOptions>(1), given, rounds), hybrid_run(matching, given, rounds)}) {
    REQUIRE(got.parts.size() == 5);
    CHECK(got.parts[1][0] != got.parts[0][0]);
    for (const std::size_t t : {2u, 3u}) {
      CHECK(got.parts[t][0] == got.parts[1][0]);
      CHECK(got.times[t] == got.times[1]);
    }
    CHECK(got.parts[4][0] != got.parts[3][0]);
  }
}

}  // namespace lagnet::hybrid_primal_test
