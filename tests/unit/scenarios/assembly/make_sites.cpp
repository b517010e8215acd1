#include "scenarios/assembly/make_sites.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/scenarios/assembly/made_network.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::make_sites_test {

using test::made;
using test::triangle;

namespace {

std::string told_of(const std::string& section) {
  return scenario_problems([&] { made(section); });
}

NetworkOptions options_of(const std::string& section) {
  NetworkOptions options;
  Diagnostics problems("s.json");
  const Json document = Json::parse(section);
  read_value(document, options, any_value(), "/network", problems);
  problems.throw_if_any();
  return options;
}

std::vector<SiteId> placed(const std::string& section) {
  Diagnostics problems("s.json");
  const std::vector<SiteId> sites = place_agents(options_of(section), 3, problems);
  problems.throw_if_any();
  return sites;
}

}  // namespace

TEST_CASE("agents are at sites in their order, and the server is beside them") {
  CHECK(placed(R"({"sites": [{"name": "a", "agents": 1}, {"name": "b", "agents": 2}]})") ==
        std::vector<SiteId>{0, 1, 1});
  CHECK(placed(R"({"sites": [{"name": "a", "agents": 1}, {"name": "b", "agents": 1}], "server_site": "b"})") ==
        std::vector<SiteId>{1, 0, 1});
  CHECK(placed(R"({"sites": [{"name": "a", "agents": 2}, {"name": "b", "agents": 0}], "server_site": "b"})") ==
        std::vector<SiteId>{1, 0, 0});
  CHECK(placed("{}").empty());
}

TEST_CASE("a site gives its agents an interface, and entries by agent come before it") {
  const Network network = made(R"({"up_bytes_per_s": 100, "down_bytes_per_s": 200,
    "sites": [{"name": "a", "agents": 1, "up_bytes_per_s": 1000},
              {"name": "b", "agents": 1, "down_bytes_per_s": 2000, "server": {"up_bytes_per_s": 5000}}],
    "server_site": "b", "interfaces": [{"agents": [2], "up_bytes_per_s": 7}]})");
  const auto up = [&](AgentId id) { return network.interface(id).up_bytes_per_s; };
  const auto down = [&](AgentId id) { return network.interface(id).down_bytes_per_s; };
  CHECK(up(0) == 5000);
  CHECK(down(0) == 2000);
  CHECK(up(1) == 1000);
  CHECK(down(1) == 200);
  CHECK(up(2) == 7);
  CHECK(std::isinf(down(2)));  // an entry by agent is all of its interface
  const Network moved = made(R"({"sites": [{"name": "a", "agents": 1, "up_bytes_per_s": 1000},
              {"name": "b", "agents": 1, "server": {"up_bytes_per_s": 5000}}], "server_site": "a"})");
  CHECK(moved.interface(0).up_bytes_per_s == 1000);
  CHECK(std::isinf(moved.interface(2).up_bytes_per_s));
}

TEST_CASE("a site's interface may change with time") {
  const Network network = made(R"({"sites": [{"name": "a", "agents": 3,
    "up_bytes_per_s": {"kind": "schedule", "at_s": [0, 1], "values": [100, 50]}}]})");
  CHECK(network.interface(2).up_bytes_per_s == 100);
  REQUIRE(network.interface(2).up);
  CHECK(network.interface(2).up->at(Time() + Duration::seconds(2)) == 50);
}

TEST_CASE("latencies of a matrix go by the names of sites") {
  const TestFolder folder;
  folder.write("m.csv", "round_trip_ms,a,b,c\na,1,20,30\nb,40,2,60\nc,70,80,3\n");
  const std::string matrix =
      R"("latency_ms": {"kind": "matrix", "path": ")" + (folder.path() / "m.csv").string() + "\"";
  const std::string sites = R"("sites": [{"name": "c", "agents": 1}, {"name": "a", "agents": 1}])";
  const auto latency_ms = [](const Network& network, AgentId from, AgentId to) {
    return network.link(network.find(from, to)).latency.in_seconds() * 1e3;
  };
  const Network network = made("{" + matrix + "}, " + sites + R"(, "server_site": "a"})");
  CHECK(latency_ms(network, 0, 1) == Approx(15));   // a to c
  CHECK(latency_ms(network, 1, 0) == Approx(35));   // c to a
  CHECK(latency_ms(network, 0, 2) == Approx(0.5));  // within a
  const Network named = made("{" + matrix + R"(, "agents": ["b", "b", "c"]}, )" + sites + R"(, "server_site": "a"})");
  CHECK(latency_ms(named, 0, 2) == Approx(30));
  CHECK(told_of("{" + matrix + R"(}, "sites": [{"name": "x", "agents": 1}, {"name": "a", "agents": 1},
    {"name": "y", "agents": 1}]})") ==
        "s.json: /network/latency_ms/path: expected a line of each of network.sites, or latency_ms.agents with the "
        "places of agents, found none of x, y");
}

TEST_CASE("agents are at the nodes of their sites") {
  const std::string underlay = R"("underlay": {"nodes": ["l", "r"], "links": [{"ends": ["l", "r"], "latency_ms": 8}]})";
  const Network network = made("{" + underlay + R"(, "sites": [{"name": "a", "agents": 1, "node": "l"},
    {"name": "b", "agents": 1, "node": 1}], "server_site": "b"})");
  const auto latency = [&](AgentId from, AgentId to) { return network.link(network.find(from, to)).latency; };
  CHECK(latency(0, 1) == Duration::milliseconds(8));
  CHECK(latency(0, 2) == Duration());
  CHECK(told_of("{" + underlay +
                R"(, "sites": [{"name": "a", "agents": 1, "node": "m"}, {"name": "b", "agents": 2}]})") ==
        "s.json: /network/sites/0/node: expected a node, found \"m\"\n"
        "s.json: /network/sites/1/node: expected a node, as others of network.sites have one, found null");
}

TEST_CASE("a byte takes the energy of each inner link that it passes") {
  const std::string section = R"({"underlay": {"nodes": 3, "agents": [0, 1, 2], "links": [
    {"ends": ["0", "1"], "joules_per_byte": 1e-6}, {"ends": ["1", "2"], "joules_per_byte": 2e-6}]}})";
  const Network network = made(section);
  CHECK(network.inner_joules_per_byte(network.find(0, 1)) == 1e-6);
  CHECK(network.inner_joules_per_byte(network.find(2, 0)) == Approx(3e-6).epsilon(1e-12));
  const CostModel costs = make_costs(options_of(section), network);
  CHECK(costs.sites().empty());
  Ledger ledger(3, network.links());
  ledger.on_event({.what = EventKind::sent, .agent = 2, .peer = 0, .link = network.find(2, 0), .amount = 1000});
  CHECK(*costs.of_run(2, ledger, network, Time()).joules == Approx(3e-3).epsilon(1e-12));
  CHECK(made("{}").inner_joules_per_byte(0) == 0);
}

TEST_CASE("every problem of sites is reported") {
  CHECK(told_of(R"({"currency": "EUR", "server_site": "d", "sites": [
    {"name": "a", "agents": 1, "node": "l"}, {"name": "a", "agents": 2, "carbon_g_per_kwh": 3}]})") ==
        "s.json: /network/sites/0/node: expected null unless network.underlay is there, with agents null, found \"l\"\n"
        "s.json: /network/sites/1/name: expected each site once, found a\n"
        "s.json: /network/sites/1/carbon_g_per_kwh: expected null, since no site has energy, found 3.0\n"
        "s.json: /network/server_site: expected one of the sites a, a, found \"d\"\n"
        "s.json: /network/currency: expected \"\", since no site has prices, found EUR");
  CHECK(told_of(R"({"server_site": "a"})") ==
        "s.json: /network/server_site: expected null without network.sites, found \"a\"");
  CHECK(told_of(R"({"sites": [{"name": "", "agents": -1, "up_bytes_per_s": -5, "carbon_g_per_kwh": -1,
    "price": {"internet_per_gb": -1}, "energy": {"idle_w": -1}}]})") ==
        "s.json: /network/sites/0/agents: expected an integer from 0 to 536870912, found -1\n"
        "s.json: /network/sites/0/up_bytes_per_s: expected a number at least 0, found -5\n"
        "s.json: /network/sites/0/price/internet_per_gb: expected a number at least 0, found -1\n"
        "s.json: /network/sites/0/energy/idle_w: expected a number at least 0, found -1\n"
        "s.json: /network/sites/0/carbon_g_per_kwh: expected a number at least 0, found -1");
  CHECK(told_of(R"({"sites": [{"name": "", "agents": 3}]})") ==
        "s.json: /network/sites/0/name: expected a name, found none");
  CHECK(told_of(R"({"sites": [{"name": "a", "agents": 3, "up_bytes_per_s": 0}]})") != "");
  CHECK(told_of(R"({"sites": [{"name": "a", "agents": 1}, {"name": "b", "agents": 1}]})") ==
        "s.json: /network/sites: expected counts of agents that add up to 3, found 2");
  CHECK(told_of(R"({"sites": [{"name": "a", "agents": 3}], "server_site": "a"})") ==
        "s.json: /network/sites: expected counts of agents that add up to 2, the agents beside the server, found 3");
}

}  // namespace lagnet::make_sites_test
