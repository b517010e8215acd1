#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/algorithms/dual/saddle_bench.hpp"

/// What centers and machines of dual methods bill for their vectors, held against the operations that their bodies do,
/// as peers.cpp does for methods of peers. Beside them a machine is billed H coordinate steps and A_k'y.
namespace lagnet::dual_costs_counted_test {

using namespace lagnet::test;

namespace {

constexpr Index d = 6, n = 10, K = 3, rounds = 7, H = 4;

template <class Options>
Options with_ascent(Options options) {
  options.local_solver = LocalSolverKind::sdca;
  return with_steps(options, H, StepOrder::cyclic);
}

/// `unbilled`: done in a run and not billed.
template <class Options>
void check(const std::string& name, const Options& options, Flops unbilled) {
  CAPTURE(name);
  const Bench bench = saddle_bench(make_loss(SmoothedHingeOptions{.gamma = 1}), 0.05, rounds, {n, n, n});
  const auto method = make_algorithm(options, bench.assignment());
  counting::flops = 0;
  const Result result = simulate(bench, *method);
  const Flops counted = counting::flops;
  const Flops steps = 4 * d * H + 10 * H, pull_back = 2 * d * n;
  CHECK(counted > 0);
  CHECK(result.ledger.total().flops - rounds * K * (steps + pull_back) == counted - unbilled);
}

}  // namespace

TEST_CASE("the flops that centers and machines bill for their vectors are those that their bodies do") {
  check("cocoa_plus", with_ascent(CocoaPlusOptions()), 0);
  check("cocoa", with_ascent(CocoaOptions()), 0);

  // The closed form of x takes 6 d with z, of which the sheet counts 5 d at the center, and for a machine that finds x
  // from v. It does not count the closed form from which each local problem starts.
  const Flops at_center = rounds * d, at_machines = rounds * K * 6 * d;
  DispaOptions plain = with_ascent(dispa(1, 4));
  check("dispa", plain, at_center + at_machines);
  plain.messages = SaddleMessages::lean;
  // In round 1 machines have x, and are billed for it all the same.
  check("dispa, lean", plain, at_center + at_machines + K * ((rounds - 1) * 6 * d - rounds * 5 * d));
  ADispaOptions stages;
  stages.tau = 1;
  stages.sigma = 4;
  stages.vt = 0.1;
  check("a_dispa", with_ascent(stages), at_center + at_machines);
}

}  // namespace lagnet::dual_costs_counted_test
