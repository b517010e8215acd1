#include "scenarios/design/design.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string_view>

#include "tests/unit/scenarios/design/peers.hpp"

namespace lagnet::design_test {

namespace {

const DesignedPoint& point(const TopologyDesign& design, std::string_view label) {
  const auto found = std::ranges::find(design.points, label, [](const auto& one) { return one.candidate.label; });
  INFO(label);
  REQUIRE(found != design.points.end());
  return *found;
}

std::string refusal(const std::string& changes) {
  try {
    design(regional_peers(changes), {});
  } catch (const DesignError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("over the regions tree and ring have shorter rounds than the star, as their longest links are") {
  const std::string free = R"({"compute": {"speed_flops_per_s": 1e15}, "network": {"bandwidth_bytes_per_s": 1e15}})";
  const TopologyDesign made = design(regional_peers(free), {});
  CHECK(std::ranges::is_sorted(made.points, {}, &DesignedPoint::cycle_s));
  CHECK_FALSE(made.has_server);
  // By hand from regions.csv: the longest link of a spanning tree, halved, is Sao Paulo - Johannesburg; Mumbai's
  // farthest region is Sao Paulo.
  CHECK(point(made, "minimum spanning tree").cycle_s == Approx(0.05572).epsilon(1e-6));
  CHECK(point(made, "star at mumbai").cycle_s == Approx(0.103305).epsilon(1e-6));
  // The least that any ring has, by all orders: Virginia - Tokyo is not on it.
  CHECK(point(made, "short ring").cycle_s >= 0.05916 * (1 - 1e-6));
  CHECK(point(made, "short ring").cycle_s < 0.07);
  const DesignedPoint& regular = point(made, "random regular, degree 3");
  CHECK(regular.links == 15);
  CHECK(regular.spectral_gap.value() > point(made, "short ring").spectral_gap.value());
  for (const DesignedPoint& one : made.points) {
    INFO(one.candidate.label);
    CHECK(one.period > 0);
    CHECK(one.predicted.value().is_exact);
    CHECK(one.predicted->seconds == Approx(one.cycle_s).epsilon(1e-9));
    CHECK(one.mixing_s.value() == Approx(-one.cycle_s / std::log1p(-one.spectral_gap.value())).epsilon(1e-9));
  }
}

TEST_CASE("a degree bounds the trees and is that of the control") {
  const TopologyDesign made = design(regional_peers(), 2);
  CHECK(point(made, "tree of degree 2").largest_degree == 2);
  CHECK(point(made, "random regular, degree 2").links == 10);
  // The minimum spanning tree has degree 3, so that a bound of 3 gives it again.
  CHECK(design(regional_peers(), 3).points.size() == 5);
}

TEST_CASE("keys of the topology and links of the scenario stay with every topology that has them") {
  const TopologyDesign made = design(regional_peers(
                                         R"({"topology": {"kind": "complete", "gossip": "metropolis"},
              "network": {"links": [{"links": [[0, 1], [2, 7]], "latency_ms": 1000}]}})"),
                                     {});
  const Json& star = point(made, "star at mumbai").candidate.settings;
  CHECK(star["/topology"]["gossip"] == "metropolis");
  CHECK(star["/network/links"] == Json::array());
  CHECK(point(made, "minimum spanning tree").cycle_s < 0.2);
  CHECK(point(made, "as it is: complete").cycle_s == Approx(1).epsilon(0.01));  // by the slow link between 0 and 1
}

TEST_CASE("for a method with a server the server's place is chosen") {
  const TopologyDesign made = design(
      regional_peers(R"({"topology": {"kind": "star", "agents": 11}, "algorithm": {"kind": "fed_avg", "step": null},
    "compute": {"speed_flops_per_s": 1e15}, "network": {"bandwidth_bytes_per_s": 1e15}})"),
      {});
  CHECK(made.has_server);
  CHECK(made.points.size() == 10);
  CHECK(made.points.front().candidate.label == "server in mumbai");
  CHECK(made.points.front().cycle_s == Approx(0.20661).epsilon(1e-6));  // there and back to Sao Paulo
  CHECK_FALSE(made.points.front().mixing_s);
  CHECK(made.points.front().candidate.settings["/network/latency_ms/agents"][0] == "mumbai");
}

TEST_CASE("a server moves to a site with the interface that it has there") {
  const TopologyDesign made = design(
      regional_peers(R"({"topology": {"kind": "star", "agents": 4}, "algorithm": {"kind": "fed_avg", "step": null},
    "compute": {"speed_flops_per_s": 1e15}, "network": {"bandwidth_bytes_per_s": 1e15, "server_site": "mumbai",
    "sites": [{"name": "mumbai", "agents": 1, "server": {"up_bytes_per_s": 10}}, {"name": "tokyo", "agents": 2}]}})"),
      {});
  REQUIRE(made.points.size() == 2);
  CHECK(made.points[0].candidate.label == "server in tokyo");
  CHECK(made.points[0].candidate.settings == Json{{"/network/server_site", "tokyo"}});
  CHECK(made.points[0].cycle_s < 1);
  CHECK(made.points[1].cycle_s > 1);  // tens of bytes to each client at 10 bytes/s
  CHECK(made.warnings.empty());
}

TEST_CASE("scenarios without a design are refused") {
  CHECK(refusal(R"({"sweep": {"/topology/agents": [4, 5]}})") ==
        "small.json: /sweep: expected no swept key other than /seed, found /topology/agents; --set 'sweep={}' leaves "
        "it out");
  CHECK(refusal(R"({"topology": {"changes": {"kind": "random_matchings"}}})") ==
        "small.json: /topology/changes: expected null, since a design needs rounds that are alike");
  CHECK(refusal(R"({"topology": {"agents": 2}})") == "small.json: /topology: expected 3 to 1000 agents, found 2");
  CHECK(refusal(R"({"topology": {"kind": "star"}, "algorithm": {"kind": "fed_avg", "step": null},
                    "network": {"latency_ms": 5}})") ==
        "small.json: fed_avg has a server, which is agent 0 and the center of every topology, so that only its place "
        "can be chosen: expected network.server_site, or network.latency_ms of kind matrix, found constant");
}

}  // namespace lagnet::design_test
