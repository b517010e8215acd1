#include "sim/transport/max_min_rates.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "sim/base/draws.hpp"

namespace lagnet::max_min_rates_test {

namespace {

constexpr std::uint32_t agents = 3;
constexpr FlowId flows = 80'000;
constexpr FlowId batch = 1'000;

}  // namespace

TEST_CASE("tens of thousands of flows between three agents settle, each at a full interface", "[transport]") {
  // All interfaces are alike, so that levels tie but for the rounding of sums of so many rates; with
  // seed 8 two of them took turns by each other's rounding without end.
  for (const std::uint64_t seed : {1, 8}) {
    Draws draws(seed, Purpose("flows"));
    MaxMinRates rates(std::vector<double>(2 * agents, 1.0), 2);
    std::vector<std::array<ResourceId, 2>> paths;
    for (FlowId flow = 0; flow < flows; ++flow) {
      const auto from = static_cast<ResourceId>(draws.below(agents));
      const auto to = static_cast<ResourceId>((from + 1 + draws.below(agents - 1)) % agents);
      paths.push_back({from, agents + to});
      rates.add(flow, paths.back());
      if (flow % batch == batch - 1) rates.settle();
    }
    std::vector<double> used(2 * agents, 0.0);
    for (FlowId flow = 0; flow < flows; ++flow)
      for (const ResourceId r : paths[flow]) used[r] += rates.level(rates.bottleneck(flow));
    // The bottleneck of a flow is full. Rates may be off by the tolerance of levels, 4 eps times the number of flows,
    // and so may their sums.
    for (FlowId flow = 0; flow < flows; ++flow)
      if (const double use = used[rates.bottleneck(flow)]; use != Approx(1.0).epsilon(2 * 4 * 2.3e-16 * flows))
        FAIL_CHECK("flow " << flow << " is held up where " << use << " of 1 is used");
  }
}

}  // namespace lagnet::max_min_rates_test
