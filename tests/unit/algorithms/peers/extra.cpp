#include "algorithms/peers/extra.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::extra_test {

using namespace lagnet::test;

TEST_CASE("the first iterates of EXTRA are those computed by hand") {
  check_iterates(simulate<Extra>(two_agents(3), ExtraOptions{{.step = 0.1}}),
                 {{0.2, 0.4}, {0.43, 0.59}, {0.652, 0.689}});
}

TEST_CASE("EXTRA reaches the central optimum") {
  // Linear convergence to rounding, which the condition number (below 10) and the mixing magnify.
  CHECK(distance_to_optimum<Extra>(ring_bench(1500), ExtraOptions{{.step = 0.3}}) < 1e-12);
}

TEST_CASE("PG-EXTRA solves composite problems and sets exactly") {
  for (const PeerBench& bench : composite_benches(3000))
    CHECK(distance_to_optimum<Extra>(bench, ExtraOptions{{.step = 0.3}}) < 1e-9);
}

TEST_CASE("a round of EXTRA costs a gradient, a mixing and seven flops an entry") {
  const PeerBench bench = ring_bench(5);
  check_round_costs(bench, Extra({{.step = 0.1, .mixing = {.rounds = 2}}}, bench.assignment()), 7, 1);
}

TEST_CASE("EXTRA refuses an invalid step") {
  CHECK_THROWS_WITH(simulate<Extra>(two_agents(1), ExtraOptions{{.step = 0}}),
                    "step: expected a number above 0, found 0");
}

TEST_CASE("theory's step of Extra converges for agents whose curvatures differ") {
  PeerBench bench = ring_bench(4000);
  bench.lazy = false;
  bench.problem.X = std::make_shared<const DataMatrix>(uneven_rows(bench.problem.X->dense()));
  CHECK(distance_to_optimum<Extra>(bench, ExtraOptions{}) < 1e-10);
}

}  // namespace lagnet::extra_test
