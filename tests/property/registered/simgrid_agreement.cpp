#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "checkout_paths.hpp"
#include "sim/transport/fluid_flows.hpp"

/// FluidFlows against SimGrid 3.32, whose finishing times tests/reference/simgrid keeps.
namespace lagnet::simgrid_agreement_test {

namespace {

using nlohmann::json;

json reference(const std::string& name) {
  const std::string path = std::string(LAGNET_SOURCE_DIR) + "/tests/reference/simgrid/" + name;
  std::ifstream file(path);
  if (!file) FAIL("cannot read " << path);
  return json::parse(file);
}

struct Transfer {
  std::vector<ResourceId> path;
  Bytes size;
  Time start;  // of its first byte, after the latency
};

/// The seconds at which the transfers of a platform end. Resources: up links, down links, further links.
std::vector<double> finishing_times(const json& platform) {
  std::vector<double> capacities;
  for (const char* direction : {"up_bytes_per_s", "down_bytes_per_s"})
    for (const json& host : platform["hosts"]) capacities.push_back(host[direction]);
  for (const json& bandwidth : platform["links_bytes_per_s"]) capacities.push_back(bandwidth);
  const auto hosts = static_cast<ResourceId>(platform["hosts"].size());

  std::vector<Transfer> transfers;
  std::vector<std::size_t> by_start;
  for (const json& one : platform["transfers"]) {
    std::vector<ResourceId> path{one["from"].get<ResourceId>(), hosts + one["to"].get<ResourceId>()};
    const json via = one.value("via", json::array());
    for (const json& link : via.is_array() ? via : json::array({via}))
      path.push_back(2 * hosts + link.get<ResourceId>());
    const Duration before = Duration::seconds(one["start_s"]) + Duration::seconds(one["latency_s"]);
    by_start.push_back(transfers.size());
    transfers.push_back({std::move(path), one["bytes"], Time() + before});
  }
  std::ranges::stable_sort(by_start, {}, [&](std::size_t k) { return transfers[k].start; });

  const std::size_t longest =
      std::ranges::max(transfers, {}, [](const Transfer& one) { return one.path.size(); }).path.size();
  FluidFlows share(capacities, longest);
  std::vector<double> finish(transfers.size(), -1);
  std::vector<std::size_t> transfer_of(transfers.size());  // by flow
  std::size_t begun = 0;
  while (begun < by_start.size() || share.flows() > 0) {
    Time now = share.next();
    if (begun < by_start.size()) now = std::min(now, transfers[by_start[begun]].start);
    for (const FlowId flow : share.finish(now)) finish[transfer_of[flow]] = now.in_seconds();
    for (; begun < by_start.size() && transfers[by_start[begun]].start == now; ++begun) {
      const Transfer& one = transfers[by_start[begun]];
      transfer_of[share.start(now, one.path, one.size)] = by_start[begun];
    }
  }
  return finish;
}

double worst_deviation(const std::vector<double>& ours, const std::vector<double>& theirs) {
  REQUIRE(ours.size() == theirs.size());
  double worst = 0;
  for (std::size_t k = 0; k < ours.size(); ++k) worst = std::max(worst, std::abs(ours[k] - theirs[k]) / theirs[k]);
  return worst;
}

}  // namespace

TEST_CASE("Transfers end when SimGrid says, on every platform of the reference") {
  json platforms = reference("platforms.json"), recorded = reference("makespans.json")["platforms"];
  REQUIRE(platforms.size() >= 12);
  const json routed = reference("more_routes.json"), of_routed = reference("more_routes_makespans.json")["platforms"];
  REQUIRE(routed.size() == 8);
  platforms.insert(platforms.end(), routed.begin(), routed.end());
  recorded.insert(recorded.end(), of_routed.begin(), of_routed.end());
  REQUIRE(recorded.size() == platforms.size());
  for (std::size_t p = 0; p < platforms.size(); ++p) {
    REQUIRE(platforms[p]["name"] == recorded[p]["name"]);
    INFO(platforms[p]["name"]);
    const std::vector<double> ours = finishing_times(platforms[p]), theirs = recorded[p]["finish_s"];
    // SimGrid's precision is 1 ns and our ends are whole ns; the shortest transfer takes more than 10 ms. A few such
    // errors that add up stay far below 1e-6.
    CHECK(worst_deviation(ours, theirs) < 1e-6);
    CHECK(worst_deviation({std::ranges::max(ours)}, {recorded[p]["makespan_s"]}) < 1e-6);
  }
}

TEST_CASE("Transfers over routes of inner links end when SimGrid says") {
  const json platforms = reference("routes.json");
  REQUIRE(platforms.size() == 6);
  for (const json& platform : platforms) {
    INFO(platform["name"]);
    const std::vector<double> ours = finishing_times(platform), theirs = platform["finish_s"];
    CHECK(worst_deviation(ours, theirs) < 1e-6);
    CHECK(worst_deviation({std::ranges::max(ours)}, {platform["makespan_s"]}) < 1e-6);
  }
}

}  // namespace lagnet::simgrid_agreement_test
