#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/transport/fluid_flows.hpp"

/// FluidFlows against progressive filling, which computes all rates from scratch: all flows grow together, and those
/// over a resource that is full stop growing.
namespace lagnet::fair_share_oracle_test {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Transfer {
  std::int64_t start_ns;
  std::vector<ResourceId> path;
  Bytes size;
  std::vector<double> uses = {};  // of each resource of the path, by a byte
};

struct Change {
  std::int64_t at_ns;
  ResourceId resource;
  double capacity;
};

struct Platform {
  std::vector<double> capacities;
  std::vector<Transfer> transfers;   // by start
  std::vector<Change> changes = {};  // by time

  /// From a moment on; returns the changes to what is limited.
  std::vector<Change> change_at(std::int64_t now_ns) {
    std::vector<Change> made;
    for (const Change& one : changes)
      if (one.at_ns == now_ns) made.push_back(one);
    for (const Change& one : made) capacities[one.resource] = one.capacity;
    return made;
  }
  std::int64_t next_change(std::int64_t after_ns) const {
    const auto next = std::ranges::upper_bound(changes, after_ns, {}, &Change::at_ns);
    return next == changes.end() ? std::numeric_limits<std::int64_t>::max() : next->at_ns;
  }
};

/// Few different capacities, starts and sizes in every second platform, so that ties are many; in every third, a byte
/// uses up to four of a resource; in every fifth, capacities change.
Platform random_platform(std::uint64_t seed) {
  Draws draws(seed, Purpose("platform"));
  const bool ties = seed % 2 == 0;
  Platform made;
  const std::uint64_t resources = 1 + draws.below(12), transfers = 1 + draws.below(60);
  for (std::uint64_t r = 0; r < resources; ++r) {
    const double any = 1e6 * std::exp(draws.uniform(0, 7)), one_of_few = 1e6 * static_cast<double>(1 + draws.below(3));
    made.capacities.push_back(draws.bernoulli(0.05) ? infinite : ties ? one_of_few : any);
  }
  const std::uint64_t instants = ties ? 5 : 1'000'000, kinds = ties ? 4 : 100'000, step = ties ? 1'000'000 : 13;
  for (std::uint64_t k = 0; k < transfers; ++k) {
    const auto order = draws.permutation(static_cast<std::uint32_t>(resources));
    const std::uint64_t length = std::min<std::uint64_t>(draws.below(4) + (draws.bernoulli(0.8) ? 1 : 0), 3);
    Transfer one{
        static_cast<std::int64_t>(draws.below(instants) * step), {}, static_cast<Bytes>(draws.below(kinds) * step / 4)};
    for (std::size_t i = 0; i < std::min(length, resources); ++i) {
      one.path.push_back(order[i]);
      const double any = draws.uniform(1, 4), one_of_few = static_cast<double>(1 + draws.below(4));
      one.uses.push_back(seed % 3 != 0 ? 1 : ties ? one_of_few : any);
    }
    if (seed % 3 == 1) one.uses.clear();
    made.transfers.push_back(one);
  }
  std::ranges::stable_sort(made.transfers, {}, &Transfer::start_ns);
  for (std::uint64_t k = 0; seed % 5 == 0 && k < 20; ++k) {
    const auto resource = static_cast<ResourceId>(draws.below(resources));
    const auto at_ns = static_cast<std::int64_t>(1 + draws.below(20'000'000));
    if (made.capacities[resource] < infinite)
      made.changes.push_back({at_ns, resource, 1e6 * static_cast<double>(1 + draws.below(ties ? 3 : 1000))});
  }
  std::ranges::stable_sort(made.changes, {}, &Change::at_ns);
  return made;
}

/// The rates of some transfers, in their order.
std::vector<double> filled(const Platform& platform, const std::vector<std::size_t>& active) {
  std::vector<double> rates(active.size(), infinite), left = platform.capacities;
  std::vector<double> growing(left.size());  // what flows that still grow use of each resource, by a byte of each
  std::vector<bool> grows(active.size(), true);
  const auto each_use = [&](std::size_t k, const auto& what) {
    const Transfer& one = platform.transfers[k];
    for (std::size_t i = 0; i < one.path.size(); ++i) what(one.path[i], one.uses.empty() ? 1 : one.uses[i]);
  };
  // What is left of sums of up to 60 numbers from 1 to 4 when all of them have been taken away again.
  constexpr double nothing = 1e-9;
  for (const std::size_t k : active) each_use(k, [&](ResourceId r, double use) { growing[r] += use; });
  for (;;) {
    std::size_t full = left.size();
    double level = infinite;
    for (std::size_t r = 0; r < left.size(); ++r) {
      if (growing[r] < nothing || !(left[r] / growing[r] < level)) continue;
      full = r;
      level = left[r] / growing[r];
    }
    if (full == left.size()) return rates;
    for (std::size_t i = 0; i < active.size(); ++i) {
      const auto& path = platform.transfers[active[i]].path;
      if (!grows[i] || std::ranges::find(path, full) == path.end()) continue;
      grows[i] = false;
      rates[i] = level;
      each_use(active[i], [&](ResourceId r, double use) { left[r] -= use * level, growing[r] -= use; });
    }
  }
}

/// When each transfer ends, in ns, by filling anew at every event.
std::vector<std::int64_t> ends_by_filling(Platform platform) {
  std::vector<std::int64_t> ends(platform.transfers.size(), -1);
  std::vector<double> left;  // bytes
  std::vector<std::size_t> active;
  std::size_t begun = 0;
  std::int64_t now = 0;
  while (begun < platform.transfers.size() || !active.empty()) {
    const std::vector<double> rates = filled(platform, active);
    std::int64_t next = platform.next_change(now);
    if (begun < platform.transfers.size()) next = std::min(next, platform.transfers[begun].start_ns);
    const auto end = [&](std::size_t i) -> std::int64_t {
      return now + std::llround(left[active[i]] / rates[i] * 1e9);
    };
    for (std::size_t i = 0; i < active.size(); ++i) next = std::min(next, end(i));
    std::vector<std::size_t> stay;
    for (std::size_t i = 0; i < active.size(); ++i) {
      const std::size_t k = active[i];
      if (end(i) <= next) {
        ends[k] = next;
      } else {
        left[k] -= rates[i] * static_cast<double>(next - now) * 1e-9;
        stay.push_back(k);
      }
    }
    active = stay;
    now = next;
    platform.change_at(now);
    for (; begun < platform.transfers.size() && platform.transfers[begun].start_ns == now; ++begun) {
      left.push_back(static_cast<double>(platform.transfers[begun].size));
      active.push_back(begun);
    }
  }
  return ends;
}

/// The conditions that define max-min fairness: no resource beyond its capacity, and each flow has a full one where no
/// flow is faster. Both hold to 1e-9, which is far above the rounding of sums of 60 rates and far below any mistake.
void check_fair(const Platform& platform, const std::vector<std::size_t>& active, const std::vector<double>& rates) {
  std::vector<double> sum(platform.capacities.size()), fastest(sum.size());
  for (std::size_t i = 0; i < active.size(); ++i)
    for (std::size_t k = 0; k < platform.transfers[active[i]].path.size(); ++k) {
      const Transfer& one = platform.transfers[active[i]];
      sum[one.path[k]] += rates[i] * (one.uses.empty() ? 1 : one.uses[k]);
      fastest[one.path[k]] = std::max(fastest[one.path[k]], rates[i]);
    }
  for (std::size_t r = 0; r < sum.size(); ++r)
    if (!(sum[r] <= platform.capacities[r] * (1 + 1e-9))) FAIL("resource " << r << " is beyond its capacity");
  for (std::size_t i = 0; i < active.size(); ++i) {
    bool bottleneck = rates[i] == infinite;
    for (const ResourceId r : platform.transfers[active[i]].path)
      bottleneck |= sum[r] >= platform.capacities[r] * (1 - 1e-9) && rates[i] >= fastest[r] * (1 - 1e-9);
    if (!bottleneck) FAIL("transfer " << active[i] << " could be faster");
  }
}

/// When each transfer ends, by FluidFlows, with all rates checked after every event.
std::vector<std::int64_t> ends_by_share(Platform platform) {
  FluidFlows share(platform.capacities);
  std::vector<std::int64_t> ends(platform.transfers.size(), -1);
  std::vector<std::size_t> which(platform.transfers.size()), active;
  std::vector<FlowId> flow_of(platform.transfers.size());
  std::size_t begun = 0;
  std::int64_t last_ns = -1;
  while (begun < platform.transfers.size() || share.flows() > 0) {
    Time now = std::min(share.next(), Time::nanoseconds(platform.next_change(last_ns)));
    if (begun < platform.transfers.size()) now = std::min(now, Time::nanoseconds(platform.transfers[begun].start_ns));
    for (const FlowId flow : share.finish(now)) {
      ends[which[flow]] = now.ns();
      std::erase(active, which[flow]);
    }
    last_ns = now.ns();
    for (const Change& one : platform.change_at(now.ns())) share.set_capacity(now, one.resource, one.capacity);
    for (; begun < platform.transfers.size() && platform.transfers[begun].start_ns == now.ns(); ++begun) {
      const Transfer& one = platform.transfers[begun];
      const FlowId flow = share.start(now, one.path, one.size, FluidFlows::no_resource, one.uses);
      flow_of[begun] = flow;
      which[flow] = begun;
      active.push_back(begun);
    }
    while (share.next() == now)
      for (const FlowId flow : share.finish(now)) {
        ends[which[flow]] = now.ns();
        std::erase(active, which[flow]);
      }
    std::vector<double> rates;
    for (const std::size_t k : active) rates.push_back(share.rate(flow_of[k]));
    check_fair(platform, active, rates);
    const std::vector<double> expected = filled(platform, active);
    // Two ways to sum up to 60 numbers of one capacity: their difference stays far below 1e-9 of the smallest share.
    for (std::size_t i = 0; i < active.size(); ++i)
      if (!(std::abs(rates[i] - expected[i]) <= 1e-9 * expected[i]))
        FAIL("transfer " << active[i] << " has " << rates[i] << " bytes/s, not " << expected[i]);
  }
  return ends;
}

}  // namespace

TEST_CASE("Rates and ends are those of progressive filling from scratch, on 500 random platforms") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    INFO("platform " << seed);
    const Platform platform = random_platform(seed);
    const auto ends = ends_by_share(platform), expected = ends_by_filling(platform);
    // Both round to the nearest ns, so an end that is within rounding errors of half a ns may go either way.
    for (std::size_t k = 0; k < ends.size(); ++k)
      if (std::abs(ends[k] - expected[k]) > 1)
        FAIL("transfer " << k << " ends at " << ends[k] << ", not " << expected[k]);
  }
}

}  // namespace lagnet::fair_share_oracle_test
