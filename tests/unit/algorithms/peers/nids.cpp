#include "algorithms/peers/nids.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::nids_test {

using namespace lagnet::test;

TEST_CASE("the first iterate of NIDS is that computed by hand") {
  check_iterates(simulate<Nids>(two_agents(1), NidsOptions{{.step = 0.1}}), {{0.4125, 0.6075}});
}

TEST_CASE("NIDS reaches the central optimum") {
  // Linear convergence to rounding, which the condition number (below 10) and the mixing magnify.
  CHECK(distance_to_optimum<Nids>(ring_bench(1500), NidsOptions{{.step = 0.5}}) < 1e-12);
}

TEST_CASE("NIDS solves composite problems and sets exactly") {
  for (const PeerBench& bench : composite_benches(3000))
    CHECK(distance_to_optimum<Nids>(bench, NidsOptions{{.step = 0.3}}) < 1e-9);
}

TEST_CASE("a round of NIDS costs a gradient, a mixing and nine flops an entry") {
  const PeerBench bench = ring_bench(5);
  check_round_costs(bench, Nids({{.step = 0.1, .mixing = {.rounds = 2}}}, bench.assignment()), 9, 1);
}

TEST_CASE("theory's step of Nids converges for agents whose curvatures differ") {
  PeerBench bench = ring_bench(4000);
  bench.lazy = false;
  bench.problem.X = std::make_shared<const DataMatrix>(uneven_rows(bench.problem.X->dense()));
  CHECK(distance_to_optimum<Nids>(bench, NidsOptions{}) < 1e-10);
}

}  // namespace lagnet::nids_test
