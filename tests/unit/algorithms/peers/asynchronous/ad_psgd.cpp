#include "algorithms/peers/asynchronous/ad_psgd.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/algorithms/peers/asynchronous/moments_bench.hpp"

namespace lagnet::ad_psgd_test {

using namespace lagnet::test;

namespace {

/// f_0 = (x - 1)^2 / 2, f_1 = (x + 2)^2 / 2; agent 0 asks. Its updates take 4 ms, those of agent 1 10 ms.
MomentsBench fast_and_slow() {
  MomentsBench bench = two_agents(1, -2);
  bench.update_ms = {4, 10};
  bench.end_ms = 14;
  return bench;
}

MethodInput of_two_sides(const MomentsBench& bench) {
  MethodInput given = bench.assignment();
  given.network.first_side = {true, false};
  return given;
}

MomentsResult run_of(const MomentsBench& bench, const AdPsgdOptions& options) {
  return simulate(bench, *make_algorithm(options, of_two_sides(bench)));
}

}  // namespace

TEST_CASE("AD-PSGD's two sides average while the other side computes, and apply gradients at their earlier iterates") {
  const MomentsResult result = run_of(fast_and_slow(), {.step = 0.1});
  CHECK(result.value(0, 3.9) == 0);
  CHECK(result.value(0, 4) == Approx(0.1));      // (0 + 0) / 2 - 0.1 (0 - 1)
  CHECK(result.value(1, 5) == Approx(0.05));     // (0 + 0.1) / 2
  CHECK(result.value(0, 8) == Approx(0.14));     // (0.1 + 0) / 2 - 0.1 (0.1 - 1), with what agent 1 had at 5 ms
  CHECK(result.value(1, 9) == Approx(0.095));    // (0.05 + 0.14) / 2
  CHECK(result.value(1, 10) == Approx(-0.105));  // - 0.1 (0 + 2), the gradient where it began
  CHECK(result.value(0, 12) == Approx(0.181));   // (0.14 + 0.05) / 2 - 0.1 (0.14 - 1)
  CHECK(result.used.at({1, 3}) == 1);            // averages at 1, 5 and 9 ms fell into its computation
  CHECK(result.used.at({0, 0}) == 3);
}

TEST_CASE("without overlap AD-PSGD's active agents ask when they have computed") {
  const MomentsResult result = run_of(fast_and_slow(), {.step = 0.1, .overlap = false});
  CHECK(result.value(0, 5.9) == 0);
  CHECK(result.value(0, 6) == Approx(0.1));
  CHECK(result.value(1, 10) == Approx(-0.2));   // - 0.1 (0 + 2)
  CHECK(result.value(1, 11) == Approx(-0.05));  // (-0.2 + 0.1) / 2
  CHECK(result.value(0, 12) == Approx(0.04));   // (0.1 - 0.2) / 2 - 0.1 (0.1 - 1)
}

TEST_CASE("the other side of AD-PSGD's topology may ask and no other agents") {
  const MomentsBench bench = fast_and_slow();
  const MomentsResult result = run_of(bench, {.step = 0.1, .active = {1}});
  CHECK(result.value(1, 10) == Approx(-0.2));  // it has asked at 0 ms
  CHECK(result.value(0, 4) == Approx(0.1));
  const auto refusal = [&](const std::vector<std::int64_t>& active) {
    return refusal_of(AdPsgdOptions{.step = 0.1, .active = active}, of_two_sides(bench));
  };
  CHECK(refusal({0}).empty());
  CHECK(refusal({0, 1}).starts_with("active: expected one side of the bipartite topology"));
  CHECK(refusal({7}).starts_with("active: expected agents from 0 to 1, found 7"));
  MethodInput odd = of_two_sides(bench);
  odd.network.odd_cycle = {0, 1, 2};
  CHECK(refusal_of(AdPsgdOptions{.step = 0.1}, odd) ==
        "kind: expected a bipartite topology for ad_psgd, found a cycle of odd length through agents 0, 1, 2");
}

TEST_CASE("AD-PSGD ends at a distance of the order of its step") {
  MomentsBench bench = two_agents(1, -2);
  bench.update_ms = {10, 10};
  bench.end_ms = 60'000;
  // The minimizer is -1/2. What is left is a limit cycle of the order of the step times the gradients' difference, 3.
  for (const double step : {0.02, 0.01}) {
    const MomentsResult result = run_of(bench, {.step = step});
    CHECK(std::abs(result.mean(60'000)[0] + 0.5) <= 6 * step);
    CHECK(std::abs(result.value(0, 60'000) - result.value(1, 60'000)) <= 6 * step);
  }
}

TEST_CASE("AD-PSGD refuses a regularizer without subgradients") {
  struct Opaque final : Regularizer {
    double value(VectorRef) const override { return 0; }
    Vector prox(VectorRef q, double) const override { return q; }
    double conjugate(VectorRef) const override { return 0; }
  };
  MomentsBench bench = fast_and_slow();
  bench.peers.problem.regularizer = std::make_shared<const Opaque>();
  CHECK_THROWS_WITH(run_of(bench, {.step = 0.1}),
                    "kind: expected an algorithm that needs no subgradient, which this regularizer does not offer, "
                    "found ad_psgd");
}

TEST_CASE("AD-PSGD with one agent is refused") {
  MethodInput alone = of_two_sides(fast_and_slow());
  alone.network.agents = 1;
  alone.sample_starts = {0, alone.sample_starts.back()};
  CHECK_THROWS_WITH(make_algorithm(AdPsgdOptions{.step = 0.1}, alone),
                    "kind: expected an algorithm for one agent, or a topology with 2 agents or more, found ad_psgd");
}

}  // namespace lagnet::ad_psgd_test
