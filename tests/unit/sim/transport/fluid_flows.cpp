#include "sim/transport/fluid_flows.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>
#include <vector>

#include "sim/base/errors.hpp"

namespace lagnet::fair_share_test {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double byte_per_ns = 1e9;

Time ns(std::int64_t at) { return Time::nanoseconds(at); }

struct Start {
  std::int64_t at_ns;
  std::vector<ResourceId> path;
  Bytes size;
};

/// When each flow ends, in ns; the starts are by ascending time. Every size and rate below is a ratio of small whole
/// numbers that makes these exact.
std::vector<std::int64_t> ends(std::vector<double> capacities, const std::vector<Start>& starts) {
  FluidFlows share(std::move(capacities));
  std::vector<std::int64_t> found(starts.size(), -1);
  std::vector<std::size_t> which(starts.size());  // flow by id
  std::size_t begun = 0;
  while (begun < starts.size() || share.flows() > 0) {
    const Time start = begun < starts.size() ? ns(starts[begun].at_ns) : Time::never();
    const Time now = std::min(start, share.next());
    for (const FlowId flow : share.finish(now)) found[which[flow]] = now.ns();
    for (; begun < starts.size() && ns(starts[begun].at_ns) == now; ++begun)
      which[share.start(now, starts[begun].path, starts[begun].size)] = begun;
  }
  return found;
}

using Ends = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("A flow alone takes bytes/capacity, to the nearest nanosecond") {
  CHECK(ends({byte_per_ns}, {{0, {0}, 1000}}) == Ends{1000});
  CHECK(ends({byte_per_ns}, {{500, {0}, 1000}}) == Ends{1500});
  CHECK(ends({3 * byte_per_ns}, {{0, {0}, 10}}) == Ends{3});      // 3.3
  CHECK(ends({3 * byte_per_ns}, {{7, {0}, 20}}) == Ends{7 + 7});  // 6.7
  CHECK(ends({1e3, 2, 1e6}, {{0, {0, 1, 2}, 3}}) == Ends{1'500'000'000});
}

TEST_CASE("Two flows over one resource have half of it each while both are there") {
  // Until 500 the first gets 500 bytes; its other 500 take 1000 ns at half speed; then the second has 500 bytes to go.
  CHECK(ends({byte_per_ns}, {{0, {0}, 1000}, {500, {0}, 1000}}) == Ends{1500, 2000});
  CHECK(ends({byte_per_ns}, {{0, {0}, 1000}, {0, {0}, 400}}) == Ends{1400, 800});
}

TEST_CASE("Three flows with staggered starts have a third each while all are there") {
  // 300: 600 bytes left of A. 600: A 450, B 750. A ends 3 * 450 later; B has 300 left and C 450. B ends 2 * 300 later.
  CHECK(ends({byte_per_ns}, {{0, {0}, 900}, {300, {0}, 900}, {600, {0}, 900}}) == Ends{1950, 2550, 2700});
}

TEST_CASE("Capacity unused by a flow with a bottleneck elsewhere goes to the others") {
  FluidFlows share({byte_per_ns, 0.2 * byte_per_ns});
  const FlowId slow = share.start(ns(0), std::vector<ResourceId>{0, 1}, 1000);
  const FlowId fast = share.start(ns(0), std::vector<ResourceId>{0}, 4000);
  CHECK(share.rate(slow) == 0.2 * byte_per_ns);
  CHECK(share.rate(fast) == 0.8 * byte_per_ns);
  CHECK(ends({byte_per_ns, 0.2 * byte_per_ns}, {{0, {0, 1}, 1000}, {0, {0}, 4000}}) == Ends{5000, 5000});
  // When the fast one ends first, the slow one does not gain. When the slow one does, the fast one gets all.
  CHECK(ends({byte_per_ns, 0.2 * byte_per_ns}, {{0, {0, 1}, 1000}, {0, {0}, 2000}}) == Ends{5000, 2500});
  CHECK(ends({byte_per_ns, 0.2 * byte_per_ns}, {{0, {0, 1}, 1000}, {0, {0}, 5000}}) == Ends{5000, 6000});
}

TEST_CASE("In a parking lot the long flow has its share of the fullest link and the short ones have the rest") {
  FluidFlows share({1 * byte_per_ns, 2 * byte_per_ns, 4 * byte_per_ns});
  const FlowId through = share.start(ns(0), std::vector<ResourceId>{0, 1, 2}, 1'000'000);
  std::vector<FlowId> cars;
  for (ResourceId r = 0; r < 3; ++r) cars.push_back(share.start(ns(0), std::vector<ResourceId>{r}, 1'000'000));
  CHECK(share.rate(through) == 0.5 * byte_per_ns);
  CHECK(share.rate(cars[0]) == 0.5 * byte_per_ns);
  CHECK(share.rate(cars[1]) == 1.5 * byte_per_ns);
  CHECK(share.rate(cars[2]) == 3.5 * byte_per_ns);
  // Two more on the widest link: its level, 4/4, stays above the long flow's rate, so only the short ones there yield.
  share.start(ns(0), std::vector<ResourceId>{2}, 1'000'000);
  share.start(ns(0), std::vector<ResourceId>{2}, 1'000'000);
  CHECK(share.rate(through) == 0.5 * byte_per_ns);
  CHECK(share.rate(cars[2]) == Approx(3.5 / 3 * byte_per_ns).epsilon(1e-15));
  // Five more: now 4/9 is the lowest level, and the first link's short flow gets what the long one gives back.
  for (int k = 0; k < 5; ++k) share.start(ns(0), std::vector<ResourceId>{2}, 1'000'000);
  CHECK(share.rate(through) == Approx(4.0 / 9 * byte_per_ns).epsilon(1e-15));  // Approx: one rounding of a quotient
  CHECK(share.rate(cars[0]) == Approx(5.0 / 9 * byte_per_ns).epsilon(1e-15));
}

TEST_CASE("A flow takes its bytes along when its bottleneck changes") {
  // A passes 0 (1 byte/ns) and 1 (4 bytes/ns); at 100 seven flows of 700 bytes join on 1: its level is 4/8, so A has
  // 900 bytes left at half speed. They end at 100 + 1400, when A has 200 left, at full speed again.
  std::vector<Start> starts{{0, {0, 1}, 1000}};
  for (int k = 0; k < 7; ++k) starts.push_back({100, {1}, 700});
  Ends expected(8, 1500);
  expected[0] = 1700;
  CHECK(ends({byte_per_ns, 4 * byte_per_ns}, starts) == expected);
}

TEST_CASE("A flow is as fast as its narrowest resource when another one widens or narrows") {
  FluidFlows share({byte_per_ns, 3 * byte_per_ns});
  share.start(ns(0), std::vector<ResourceId>{0, 1}, 10'000);
  share.set_capacity(ns(1000), 0, 4 * byte_per_ns);
  CHECK(share.next() == ns(1000 + 3000));
  share.set_capacity(ns(2000), 1, 5 * byte_per_ns);  // 6000 bytes are left
  CHECK(share.next() == ns(2000 + 1500));
  share.set_capacity(ns(2500), 0, byte_per_ns);  // and 4000
  CHECK(share.next() == ns(2500 + 4000));
}

TEST_CASE("A flow over nothing that binds, or of no bytes, ends at the instant it starts") {
  FluidFlows share({infinite, byte_per_ns});
  const FlowId busy = share.start(ns(5), std::vector<ResourceId>{1}, 100);
  CHECK(share.next() == ns(105));
  const FlowId open = share.start(ns(50), std::vector<ResourceId>{0}, Bytes{1} << 60);
  const FlowId nowhere = share.start(ns(50), {}, 1);
  const FlowId empty = share.start(ns(50), std::vector<ResourceId>{0, 1}, 0);
  CHECK(share.next() == ns(50));
  CHECK(share.rate(open) == infinite);
  CHECK(share.rate(nowhere) == infinite);
  CHECK(share.rate(busy) == byte_per_ns);
  CHECK(share.flows() == 4);
  const auto done = share.finish(ns(50));
  CHECK(std::vector<FlowId>(done.begin(), done.end()) == std::vector<FlowId>{open, nowhere, empty});
  CHECK(share.flows() == 1);
  CHECK(share.next() == ns(105));
}

TEST_CASE("A resource that does not bind leaves the others of the path in force") {
  CHECK(ends({infinite, byte_per_ns}, {{0, {0, 1}, 100}, {0, {0, 1}, 100}}) == Ends{200, 200});
}

TEST_CASE("A flow shorter than half a nanosecond ends at the instant it starts") {
  FluidFlows share({10 * byte_per_ns});
  const FlowId flow = share.start(ns(7), std::vector<ResourceId>{0}, 4);  // 0.4 ns
  const auto done = share.finish(ns(7));
  REQUIRE(done.size() == 1);
  CHECK(done[0] == flow);
}

TEST_CASE("Flows that end together are in the order of their starts, whatever their bottlenecks") {
  FluidFlows share({byte_per_ns, byte_per_ns, 2 * byte_per_ns});
  std::vector<FlowId> expected;
  for (const ResourceId r : {2u, 0u, 1u}) expected.push_back(share.start(ns(0), std::vector{r}, r == 2 ? 200 : 100));
  const FlowId longer = share.start(ns(0), {}, 0);
  CHECK(share.finish(ns(0))[0] == longer);
  const auto done = share.finish(share.next());
  CHECK(std::vector<FlowId>(done.begin(), done.end()) == expected);
}

TEST_CASE("A flow that ends at an instant is not prolonged by starts at that instant") {
  FluidFlows share({3 * byte_per_ns});
  const FlowId first = share.start(ns(0), std::vector<ResourceId>{0}, 10);  // ends at 3.3 ns, so at 3
  for (int k = 0; k < 100; ++k) share.start(ns(3), std::vector<ResourceId>{0}, 300);
  CHECK(share.next() == ns(3));
  const auto done = share.finish(ns(3));
  REQUIRE(done.size() == 1);
  CHECK(done[0] == first);
  CHECK(share.next() == ns(3 + 10'000));
}

TEST_CASE("An id is used again after the call of finish that follows its end") {
  FluidFlows share({byte_per_ns});
  const FlowId first = share.start(ns(0), std::vector<ResourceId>{0}, 10);
  REQUIRE(share.finish(ns(10)).size() == 1);
  const FlowId second = share.start(ns(10), std::vector<ResourceId>{0}, 10);
  CHECK(second != first);
  REQUIRE(share.finish(ns(20)).size() == 1);
  CHECK(share.start(ns(20), std::vector<ResourceId>{0}, 10) == first);
}

TEST_CASE("Without flows nothing is next") {
  FluidFlows share({byte_per_ns});
  CHECK(share.next() == Time::never());
  CHECK(share.finish(ns(100)).empty());
  CHECK(share.flows() == 0);
}

TEST_CASE("A flow that would take centuries never ends") {
  FluidFlows share({1e-3});
  share.start(ns(0), std::vector<ResourceId>{0}, Bytes{1} << 62);
  CHECK(share.next() == Time::never());
}

TEST_CASE("Every capacity that is not above 0 is named at once") {
  CHECK_THROWS_WITH(FluidFlows({0, 1, -2}),
                    "resource 0: expected a capacity above 0 bytes per second, found 0\n"
                    "resource 2: expected a capacity above 0 bytes per second, found -2");
  CHECK_THROWS_AS(FluidFlows({std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
}

TEST_CASE("Calls that a caller must not make are found") {
  FluidFlows share({byte_per_ns, byte_per_ns});
  const FlowId flow = share.start(ns(10), std::vector<ResourceId>{0}, 10);
  CHECK_THROWS_AS(share.finish(ns(9)), InternalError);                                     // back in time
  CHECK_THROWS_AS(share.finish(ns(21)), InternalError);                                    // past an end
  CHECK_THROWS_AS(share.start(ns(10), std::vector<ResourceId>{2}, 10), InternalError);     // no such resource
  CHECK_THROWS_AS(share.start(ns(10), std::vector<ResourceId>{0, 0}, 10), InternalError);  // twice over one
  CHECK_THROWS_AS(share.start(ns(10), std::vector<ResourceId>{0}, -1), InternalError);
  CHECK_THROWS_AS(share.rate(flow + 100), InternalError);
}

}  // namespace lagnet::fair_share_test
