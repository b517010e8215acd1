#include "scenarios/assembly/make_network.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <numbers>

#include "checkout_paths.hpp"
#include "scenarios/assembly/catalogues/latency_matrix.hpp"
#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "tests/unit/scenarios/assembly/made_network.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::make_network_test {

using test::made;
using test::triangle;

namespace {

std::string told_of(const std::string& section, const Topology& topology = triangle) {
  return scenario_problems([&] { made(section, topology); });
}

const Link& link(const Network& network, AgentId from, AgentId to) { return network.link(network.find(from, to)); }
double bandwidth(const Network& network, AgentId from, AgentId to) {
  return network.bandwidth_bytes_per_s(network.find(from, to));
}
double latency_ms(const Network& network, AgentId from, AgentId to) {
  return static_cast<double>(link(network, from, to).latency.ns()) * 1e-6;
}

}  // namespace

TEST_CASE("latency and bandwidth are drawn for each direction of a link, or once for both") {
  const std::string numbers = R"("latency_ms": {"kind": "uniform", "low": 5, "high": 50},
    "bandwidth_bytes_per_s": {"kind": "lognormal", "median": 1e7, "sigma": 1})";
  const Network apart = made("{" + numbers + "}"), alike = made("{\"symmetric\": true, " + numbers + "}");
  CHECK(link(apart, 0, 1).latency != link(apart, 1, 0).latency);
  CHECK(bandwidth(apart, 0, 1) != bandwidth(apart, 1, 0));
  for (AgentId a = 0; a < 3; ++a)
    for (AgentId b = a + 1; b < 3; ++b) {
      const Draws draws(1, Purpose{"latency"}, a, b);
      CHECK(link(apart, a, b).latency == Duration::milliseconds(draw(UniformOptions{.low = 5, .high = 50}, draws)));
      CHECK(link(alike, a, b).latency == link(apart, a, b).latency);
      CHECK(link(alike, b, a).latency == link(apart, a, b).latency);
      CHECK(bandwidth(alike, b, a) == bandwidth(apart, a, b));
    }
}

TEST_CASE("latency by distance is base plus length over the signal's speed") {
  const Topology placed(3, {{0, 1}, {1, 2}}, {{0, 0}, {0.3, 0.4}, {0.3, 1}});
  const Network network =
      made(R"({"latency_ms": {"kind": "distance", "meters_per_unit": 4e6, "base_ms": 0.25}})", placed);
  // 0.5 and 0.6 of 4000 km at 200 km/ms; to the nearest nanosecond, 1e-6 ms.
  CHECK(latency_ms(network, 0, 1) == Approx(10.25).margin(1e-6));
  CHECK(latency_ms(network, 1, 2) == Approx(12.25).margin(1e-6));
  CHECK(link(network, 2, 1).latency == link(network, 1, 2).latency);
  const Network air = made(R"({"latency_ms": {"kind": "distance", "signal_m_per_s": 2.5e8}})", placed);
  CHECK(latency_ms(air, 0, 1) == Approx(2).margin(1e-6));
}

TEST_CASE("latency by distance needs places, and a square that a signal crosses") {
  CHECK(told_of(R"({"latency_ms": {"kind": "distance"}})") ==
        "s.json: /network/latency_ms/kind: expected a topology that gives its agents places, such as random_geometric, "
        "for latencies by distance, found one without places");
  CHECK(told_of(R"({"latency_ms": {"kind": "distance", "meters_per_unit": 1e15, "signal_m_per_s": 1}})") ==
        "s.json: /network/latency_ms/meters_per_unit: expected a square whose diagonal takes at most 1e9 ms, found "
        "1e+15");
}

TEST_CASE("a matrix gives each direction its latency between the agents' sites") {
  const TestFolder folder;
  folder.write("m.csv", "from,a,b\nb,6,0.5\na,1,4\n");  // lines in another order than the header
  const std::string path = "\"path\": \"" + (folder.path() / "m.csv").string() + "\"";
  const Network network = made(R"({"latency_ms": {"kind": "matrix", )" + path + "}}");
  CHECK(latency_ms(network, 0, 1) == 4);
  CHECK(latency_ms(network, 1, 0) == 6);
  CHECK(latency_ms(network, 0, 2) == 1);  // agent 2 is at site 2 mod 2
  const Network placed =
      made(R"({"latency_ms": {"kind": "matrix", "round_trip": true, "agents": ["b", "b", "a"], )" + path + "}}");
  CHECK(latency_ms(placed, 0, 1) == 0.25);
  CHECK(latency_ms(placed, 0, 2) == 3);
  CHECK(latency_ms(placed, 2, 0) == 2);
}

TEST_CASE("every problem of a matrix and of the agents' sites is reported") {
  const TestFolder folder;
  const std::string path = (folder.path() / "m.csv").string();
  const std::string section = R"({"latency_ms": {"kind": "matrix", "path": ")" + path + "\"";
  const auto line = [&](const std::string& place, const std::string& problem) {
    return "s.json: /network/latency_ms: " + path + place + ": " + problem;
  };
  folder.write("m.csv", "from,tokyo,sydney\ntokyo,0,1\nsydney,1,0\n");
  CHECK(told_of(section + R"(, "agents": ["tokio", "sydney"]}})") ==
        "s.json: /network/latency_ms/agents: expected 3 sites, one for each agent, found 2\n"
        "s.json: /network/latency_ms/agents/0: expected one of the sites tokyo, sydney, found \"tokio\"; did you mean "
        "tokyo?");
  folder.write("m.csv", "from,a,b,c\na,0,-1,x\na,0,0,0\nd,0,0,0\nb,0\n");
  CHECK(told_of(section + "}}") ==
        line(":2", "expected a latency from 0 to 1000000000 ms in column 3, found \"-1\"\n") +
            line(":2", "expected a latency from 0 to 1000000000 ms in column 4, found \"x\"\n") +
            line(":3", "expected one line of each site, found another of \"a\"\n") +
            line(":4", "expected a site of the header, found \"d\"\n") +
            line(":5", "expected a name and 3 latencies, found 2 fields\n") +
            line("", "expected a line of site \"c\", found none"));
  folder.write("m.csv", "from,a,,a\n");
  CHECK(told_of(section + "}}") == line(":1", "expected the name of a site in column 3, found nothing\n") +
                                       line(":1", "expected each site once in the header, found \"a\""));
  // Names alone, whose table would take 80 GB.
  std::string header = "from";
  for (int site = 0; site < 100000; ++site) header += "," + std::to_string(site);
  folder.write("m.csv", header + "\n");
  CHECK(told_of(section + "}}") ==
        line("", "expected 100000 lines of 100000 latencies, as the header names sites, found 588895 bytes in all"));
  folder.write("m.csv", "");
  CHECK(told_of(section + "}}") == line("", "expected a header of site names, found none"));
}

TEST_CASE("distributions of the network that reach too far are refused together, and with them a missing file") {
  CHECK(told_of(R"({"latency_ms": {"kind": "matrix", "path": "/nowhere/m.csv"},
                        "jitter_ms": {"kind": "uniform", "low": 0, "high": 2e9},
                        "bandwidth_bytes_per_s": {"kind": "exponential", "mean": 1e6}})") ==
        "s.json: /network/jitter_ms: expected numbers from 0 to 1000000000, found 2000000000.0\n"
        "s.json: /network/bandwidth_bytes_per_s: expected numbers at least 1, found 1.1102230246251565e-10\n"
        "s.json: /network/latency_ms: /nowhere/m.csv: expected a file, found nothing there");
}

TEST_CASE("the shipped table of regions follows from the places as its README says") {
  const std::filesystem::path folder = std::filesystem::path(LAGNET_SOURCE_DIR) / "scenarios/data/latency";
  const LatencyMatrix table = read_latency_matrix(folder / "regions.csv");
  const std::string text = read_data_file(folder / "places.csv");
  DataDiagnostics problems("places.csv");
  CsvRecords records(text, ',', problems);
  std::vector<std::string> fields;
  REQUIRE(records.next(fields));
  std::vector<std::array<double, 2>> places;  // latitude and longitude in radians
  while (records.next(fields)) {
    REQUIRE(places.size() < table.sites.size());
    CHECK(fields.at(0) == table.sites[places.size()]);
    const double radians = std::numbers::pi / 180;
    places.push_back({std::stod(fields.at(1)) * radians, std::stod(fields.at(2)) * radians});
  }
  REQUIRE(places.size() == 10);
  for (std::size_t a = 0; a < 10; ++a)
    for (std::size_t b = 0; b < 10; ++b) {
      // The central angle by the cosine rule, not by the README's haversine.
      const double cosine = std::sin(places[a][0]) * std::sin(places[b][0]) +
                            std::cos(places[a][0]) * std::cos(places[b][0]) * std::cos(places[a][1] - places[b][1]);
      const double km = a == b ? 0 : 6371 * std::acos(cosine);
      // Half of the last digit written. Beyond 600 km, the shortest way here, the cosine rule is good to 1e-9 ms: an
      // error of 1e-16 in the cosine is one of 1e-16/0.09 in the angle, or 1e-11 km.
      CHECK(table.at(a, b) == Approx(2 * 1.5 * std::max(km, 50.0) / 200).epsilon(0).margin(0.005 + 1e-9));
    }
}

TEST_CASE("some links are unlike the others, both ways or one way") {
  const Network network = made(R"({"latency_ms": 5, "bandwidth_bytes_per_s": 1e6, "links": [
      {"links": [[0, 1]], "latency_ms": 270},
      {"links": [[2, 1], [0, 2]], "bandwidth_bytes_per_s": 2e6, "both_ways": false}]})");
  CHECK(latency_ms(network, 0, 1) == 270);
  CHECK(latency_ms(network, 1, 0) == 270);
  CHECK(latency_ms(network, 1, 2) == 5);
  CHECK(bandwidth(network, 0, 1) == 1e6);
  CHECK(bandwidth(network, 2, 1) == 2e6);
  CHECK(bandwidth(network, 1, 2) == 1e6);
  CHECK(bandwidth(network, 0, 2) == 2e6);
}

TEST_CASE("missing links and invalid pairs are reported with their places") {
  CHECK(told_of(R"({"links": [{"links": [[0, 1], [0, 3]], "latency_ms": 1}, {"links": [[1, 1]],
                                  "latency_ms": 1}]})") ==
        "s.json: /network/links/0/links/1: expected a link of the topology, found [0,3]\n"
        "s.json: /network/links/1/links/0: expected a link of the topology, found [1,1]");
  CHECK(told_of(R"({"links": [{"links": [[0]], "latency_ms": 1}, {"links": [[0, 1, 2]], "latency_ms": 1}]})") ==
        "s.json: /network/links/0/links/0: expected two agents, found [0]\n"
        "s.json: /network/links/1/links/0: expected two agents, found [0,1,2]");
}

TEST_CASE("entries of lists that change nothing are refused") {
  CHECK(told_of(R"({"links": [{"links": [[0, 1]]}]})") ==
        "s.json: /network/links/0/latency_ms: expected one of latency_ms, bandwidth_bytes_per_s, loss_probability and "
        "queue, or more, found none of them");
  CHECK(told_of(R"({"links": [{"links": [], "latency_ms": 1}], "interfaces": [{"agents": [], "up_bytes_per_s": 9}],
                    "outages": [{"from_s": 1, "until_s": 2, "links": []}],
                    "partitions": [{"from_s": 1, "until_s": 2, "groups": []}]})") ==
        "s.json: /network/links/0/links: expected one link or more, found none\n"
        "s.json: /network/interfaces/0/agents: expected one agent or more, found none\n"
        "s.json: /network/partitions/0/groups: expected one group or more, found none\n"
        "s.json: /network/outages/0/links: expected one link or more, or inner_links, found none");
  CHECK(told_of(R"({"outages": [{"from_s": 1, "until_s": 2, "inner_links": ["wan"]}]})") ==
        "s.json: /network/outages/0/inner_links: expected none without network.underlay, found [\"wan\"]");
  CHECK(told_of(R"({"sharing": "fair", "media": [{"name": "cell", "bandwidth_bytes_per_s": 1e6, "overhead_us": 2,
                    "broadcast_once": true}]})") ==
        "s.json: /network/media/0/overhead_us: expected 0, unless sharing is fifo, found 2.0\n"
        "s.json: /network/media/0/broadcast_once: expected false, unless sharing is fifo, found true");
  CHECK(told_of(R"({"interfaces": [{"agents": [0]}],
                    "partitions": [{"from_s": 1, "until_s": 2, "groups": [[0], []]}]})") ==
        "s.json: /network/partitions/0/groups/1: expected one agent or more, found none");
  CHECK(told_of(R"({"interfaces": [{"agents": [0]}]})") ==
        "s.json: /network/interfaces/0: expected a limit, since the other agents have none, found none");
}

}  // namespace lagnet::make_network_test
