#include "algorithms/peers/gradient_tracking.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/regularizers/l2.hpp"
#include "tests/unit/algorithms/peers/baseline_bench.hpp"

namespace lagnet::gradient_tracking_test {

using namespace lagnet::test;

TEST_CASE("the first iterates of gradient tracking are those computed by hand, in both forms") {
  check_iterates(simulate<GradientTracking>(two_agents(2), GradientTrackingOptions{{.step = 0.1}}),
                 {{0.2, 0.4}, {0.48, 0.54}});
  const GradientTrackingOptions other{{.step = 0.1}, TrackingForm::adapt_then_combine};
  check_iterates(simulate<GradientTracking>(two_agents(2), other), {{0.25, 0.35}, {0.481875, 0.553125}});
}

TEST_CASE("gradient tracking reaches the central optimum in both forms") {
  // Linear convergence to rounding, which the condition number (below 10) and the mixing magnify.
  const PeerBench bench = ring_bench(1500);
  const GradientTrackingOptions diging{{.step = 0.05}}, other{{.step = 0.1}, TrackingForm::adapt_then_combine};
  CHECK(distance_to_optimum<GradientTracking>(bench, diging) < 1e-12);
  CHECK(distance_to_optimum<GradientTracking>(bench, other) < 1e-12);
}

TEST_CASE("a round of gradient tracking costs a gradient, two mixings and four flops an entry") {
  const PeerBench bench = ring_bench(5);
  for (const TrackingForm form : {TrackingForm::diging, TrackingForm::adapt_then_combine}) {
    const GradientTrackingOptions options{{.step = 0.1, .mixing = {.rounds = 2}}, form};
    check_round_costs(bench, GradientTracking(options, bench.assignment()), 4, 2);
  }
}

TEST_CASE("a smooth regularizer is a part of every f_i in gradient tracking") {
  PeerBench bench = ring_bench(1500);
  bench.problem.regularizer = make_regularizer(L2Options{.weight = 0.3});
  const GradientTrackingOptions options{{.step = 0.05}};
  CHECK(distance_to_optimum<GradientTracking>(bench, options) < 1e-12);
  // b theta and its sum with the gradient, an entry each, beside the plain gradient, two mixings and four flops.
  bench.rounds = 5;
  const GradientTrackingOptions twice{{.step = 0.05, .mixing = {.rounds = 2}}};
  check_round_costs(bench, GradientTracking(twice, bench.assignment()), 6, 2);
}

TEST_CASE("gradient tracking refuses regularizers with kinks, and sets") {
  const std::vector<PeerBench> benches = composite_benches(1);
  REQUIRE(benches.size() == 2);
  CHECK_THROWS_WITH(simulate<GradientTracking>(benches[0], GradientTrackingOptions{{.step = 0.1}}),
                    "kind: expected an algorithm with a prox for the regularizer, or a problem with l2 or none, found "
                    "gradient_tracking");
  CHECK_THROWS_WITH(
      simulate<GradientTracking>(benches[1], GradientTrackingOptions{{.step = 0.1}}),
      "kind: expected an algorithm that keeps iterates in a set, or a problem without a constraint, found "
      "gradient_tracking");
}

TEST_CASE("theory's step of gradient tracking converges, in both forms and for agents whose curvatures differ") {
  PeerBench bench = ring_bench(4000);
  bench.lazy = false;  // W has a negative eigenvalue: a smaller step
  bench.problem.X = std::make_shared<const DataMatrix>(uneven_rows(bench.problem.X->dense()));
  for (const TrackingForm form : {TrackingForm::diging, TrackingForm::adapt_then_combine})
    CHECK(distance_to_optimum<GradientTracking>(bench, GradientTrackingOptions{{}, form}) < 1e-10);
}

}  // namespace lagnet::gradient_tracking_test
