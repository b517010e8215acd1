#include "algorithms/peers/gradient_tracking.hpp"

#include <catch2/catch.hpp>

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

TEST_CASE("gradient tracking refuses regularizers and sets") {
  for (const PeerBench& bench : composite_benches(1))
    CHECK_THROWS_WITH(simulate<GradientTracking>(bench, GradientTrackingOptions{{.step = 0.1}}),
                      "kind: expected an algorithm that knows regularizers and constraints, or a problem without, "
                      "found gradient_tracking");
}

}  // namespace lagnet::gradient_tracking_test
