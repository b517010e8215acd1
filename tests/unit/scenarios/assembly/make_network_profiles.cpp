#include "scenarios/format/profiles.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "checkout_paths.hpp"
#include "scenarios/files/compressed.hpp"
#include "tests/unit/scenarios/assembly/made_network.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::make_network_profiles_test {

using test::made;

TEST_CASE("each profile says what it is and where its numbers come from, and makes a network of any agents") {
  CHECK(profiles().size() == 6);
  for (const Profile& one : profiles()) {
    CAPTURE(one.name);
    CHECK(!one.summary.empty());
    CHECK(!one.sources.empty());
    const Network network = made(R"({"profile": ")" + one.name + R"("})");
    for (LinkId id = 0; id < network.links(); ++id) {
      CHECK(network.link(id).latency > Duration());
      CHECK(std::isfinite(network.link(id).narrowest_bytes_per_s));
    }
  }
}

TEST_CASE("the keys of a scenario win over those of its profile") {
  const Network network = made(R"({"profile": "campus", "latency_ms": 7, "up_bytes_per_s": 1e6})");
  CHECK(network.link(0).latency == Duration::milliseconds(7));
  CHECK(network.interface(0).up_bytes_per_s == 1e6);
  CHECK(network.interface(0).down_bytes_per_s == 1.25e8);
}

TEST_CASE("an unknown profile is refused with those that there are") {
  CHECK(scenario_problems([] { made(R"({"profile": "phone"})"); }) ==
        "s.json: /network/profile: expected one of the profiles campus, cross_silo_ten_regions, data_center, "
        "factory_radio, phones, satellite, found \"phone\"; did you mean phones?");
}

TEST_CASE("the regions of the profile are those of the table that its source names") {
  const Profile& regions = *find_profile("cross_silo_ten_regions");
  std::string text;
  for (const auto& line : regions.network.at("latency_ms").at("lines")) text += line.get<std::string>() + "\n";
  CHECK(text == read_data_text(LAGNET_SOURCE_DIR "/scenarios/data/latency/regions.csv"));
}

TEST_CASE("a matrix of latencies is a file or its lines") {
  const std::string lines = R"("lines": ["one_way_ms,a,b", "a,1,20", "b,30,1"])";
  const Network network = made(R"({"latency_ms": {"kind": "matrix", )" + lines + "}}");
  CHECK(network.link(network.find(0, 1)).latency == Duration::milliseconds(20));
  CHECK(network.link(network.find(1, 0)).latency == Duration::milliseconds(30));
  CHECK(network.link(network.find(0, 2)).latency == Duration::milliseconds(1));
  CHECK(scenario_problems([&] { made(R"({"latency_ms": {"kind": "matrix", "path": "m.csv", )" + lines + "}}"); }) ==
        "s.json: /network/latency_ms/lines: expected null beside a path, found 3");
  CHECK(scenario_problems([] { made(R"({"latency_ms": {"kind": "matrix"}})"); }) ==
        "s.json: /network/latency_ms/path: expected a file, or its lines as \"lines\", found none");
  CHECK(scenario_problems([] {
          made(R"({"latency_ms": {"kind": "matrix", "lines": ["rtt_ms,a", "b,1"]}})");
        }).starts_with("s.json: /network/latency_ms: network.latency_ms.lines:2: expected a site of the header"));
}

}  // namespace lagnet::make_network_profiles_test
