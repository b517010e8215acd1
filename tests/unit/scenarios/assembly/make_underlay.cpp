#include "scenarios/assembly/make_underlay.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/scenarios/assembly/made_network.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"
#include "tests/unit/sim/world.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet::make_underlay_test {

namespace {

using test::made;

std::string problems(const std::string& section) {
  return scenario_problems([&] { made(section); });
}

/// Two LANs with two ways between them, of which the second one is shorter.
std::string lans(const std::string& more) {
  return R"({"underlay": {"nodes": ["a", "b", "c"], "agents": ["a", "b", "b"], "links": [
    {"ends": ["a", "b"], "latency_ms": 5, "bandwidth_bytes_per_s": 1e6}, {"ends": ["a", "c"], "latency_ms": 2},
    {"ends": ["c", "b"], "latency_ms": 2, "bandwidth_bytes_per_s": 3e6}])" +
         more + "}}";
}

std::string path_of(const Network& network, AgentId from, AgentId to) {
  std::string text;
  const LinkId link = network.find(from, to);
  for (std::size_t place = 0; place < network.path_length(link); ++place)
    if (const ResourceId id = network.on_path(from, link, place); id >= network.inner(0))
      text += fmt::format("{}{}", text.empty() ? "" : " ", id - network.inner(0));
  return text;
}

}  // namespace

TEST_CASE("links behind an underlay have no limits of their own, and the routes of least latency") {
  const Network network = made(lans(""));
  CHECK(path_of(network, 0, 1) == "2 4");
  CHECK(path_of(network, 1, 0) == "5 3");
  CHECK(path_of(network, 1, 2).empty());
  const Link& link = network.link(network.find(0, 1));
  CHECK(link.latency == Duration::milliseconds(4));
  CHECK(link.narrowest_bytes_per_s == 3e6);
  CHECK(network.bandwidth_bytes_per_s(network.find(0, 1)) == test::infinite);
}

TEST_CASE("an underlay can be a file, with rates in bit/s and latencies by its places") {
  const TestFolder folder;
  const auto write = [&](const std::string& places_of_b) {
    folder.write("zoo.graphml", R"(<graphml><key attr.name="label" attr.type="string" for="node" id="n"/>
      <key attr.name="Latitude" attr.type="double" for="node" id="y"/>
      <key attr.name="Longitude" attr.type="double" for="node" id="x"/>
      <key attr.name="LinkSpeedRaw" attr.type="double" for="edge" id="s"/><graph edgedefault="undirected">
      <node id="0"><data key="n">Paris</data><data key="y">48.85</data><data key="x">2.35</data></node>
      <node id="1"><data key="n">Bonn</data>)" +
                                    places_of_b + R"(</node>
      <edge source="0" target="1"><data key="s">8000000</data></edge>
      <edge source="1" target="0"><data key="s">16000000</data></edge></graph></graphml>)");
  };
  const std::string section = R"({"underlay": {"path": ")" + (folder.path() / "zoo.graphml").string() +
                              R"(", "agents": ["Paris", "Bonn", "Bonn"])";
  write(R"(<data key="y">50.73</data><data key="x">7.1</data>)");
  const Network network = made(section + R"(, "latency_from": "distance"}})");
  const Link& link = network.link(network.find(0, 1));
  CHECK(link.latency == Duration::milliseconds(latency_of_distance_ms({48.85, 2.35}, {50.73, 7.1})));
  CHECK(link.narrowest_bytes_per_s == 1e6);  // of two links that are as long, the first one
  CHECK(path_of(network, 0, 1) == "0");
  CHECK(path_of(network, 1, 2).empty());
  const auto with_edges = [&](const std::string& parallel) {
    return section + R"(, "latency_from": "distance", "parallel_edges": ")" + parallel + R"("}})";
  };
  const Network merged = made(with_edges("merge"));
  CHECK(merged.link(merged.find(0, 1)).narrowest_bytes_per_s == 3e6);  // both together
  CHECK(merged.resources() == network.resources() - 2);
  const std::string refused = scenario_problems([&] { made(with_edges("refuse")); });
  CHECK(refused.find("zoo.graphml: edge 1 (1,0): ") != std::string::npos);
  CHECK(refused.find("parallel_edges: expected \"merge\"") != std::string::npos);
  write("");
  CHECK(made(section + "}}").link(network.find(0, 1)).latency == Duration());
  CHECK(scenario_problems([&] {
          made(section + R"(, "latency_from": "distance"}})");
        }).ends_with("zoo.graphml: node Bonn: expected Latitude and Longitude, found none"));
  CHECK(problems(R"({"underlay": {"path": "zoo.graphml", "nodes": 2, "agents": [0, 1, 1]}})") ==
        "s.json: /network/underlay/nodes: expected none beside a path, found 2");
}

TEST_CASE("an underlay can be an edge list, whose parallel edges are links of their own") {
  const TestFolder folder;
  folder.write("roads.csv", "from,to,latency_ms,bandwidth_bytes_per_s\na,b,5,1e6\na,b,2,3e6\nb,c,1,\n");
  const std::string section =
      R"({"underlay": {"path": ")" + (folder.path() / "roads.csv").string() + R"(", "agents": ["a", "b", "c"])";
  const Network network = made(section + "}}");
  const Link& link = network.link(network.find(0, 1));
  CHECK(link.latency == Duration::milliseconds(2));
  CHECK(link.narrowest_bytes_per_s == 3e6);
  CHECK(network.link(network.find(0, 2)).latency == Duration::milliseconds(3));
  const Network merged = made(section + R"(, "parallel_edges": "merge"}})");
  CHECK(merged.link(merged.find(0, 1)).latency == Duration::milliseconds(2));
  CHECK(merged.link(merged.find(0, 1)).narrowest_bytes_per_s == 4e6);
  CHECK(problems(section + R"(, "parallel_edges": "refuse"}})")
            .starts_with("s.json: /network/underlay/path: " + (folder.path() / "roads.csv").string() +
                         ":3: expected an edge of a simple graph, found (a,b): "));
  CHECK(problems(R"({"underlay": {"nodes": 3, "links": [{"ends": ["0", "1"]}], "parallel_edges": "merge"}})")
            .starts_with("s.json: /network/underlay/parallel_edges: expected keep without a path, found merge"));
}

TEST_CASE("messages go around what is off, from the beginning of an outage to its end") {
  const auto with = [](const std::string& more, const std::string& outages) {
    std::string text = lans(R"(, "reroute": true)" + more);
    text.insert(text.size() - 1, R"(, "outages": )" + outages);
    return text;
  };
  const auto path_at = [](const Network& network, double s) {
    const LinkId path = network.path(network.find(0, 1), Time() + Duration::seconds(s));
    std::string text;
    for (std::size_t place = 0; place < network.path_length(path); ++place)
      if (const ResourceId id = network.on_path(0, path, place); id >= network.inner(0))
        text += fmt::format("{}{}", text.empty() ? "" : " ", id - network.inner(0));
    return network.path_length(path) == 0 ? "nothing" : text;
  };
  const std::string of_both = R"([{"from_s": 1, "until_s": 4, "inner_links": ["c-b"]},
                                  {"from_s": 2, "until_s": 3, "inner_links": ["a-b"]}])";
  const Network network = made(with("", of_both));
  CHECK(path_at(network, 0.999) == "2 4");
  CHECK(path_at(network, 1) == "0");
  CHECK(path_at(network, 2) == "nothing");
  CHECK(path_at(network, 3) == "0");
  CHECK(path_at(network, 4) == "2 4");
  CHECK(network.path(network.find(1, 2), Time() + Duration::seconds(2)) == network.find(1, 2));  // at one node
  // A stated route holds as long as all of it is on.
  const Network stated = made(with(R"(, "routes": [{"from": "a", "to": "b"}])", of_both));
  CHECK(path_at(stated, 1) == "0");
  CHECK(path_at(stated, 2) == "nothing");
  const Network other =
      made(with(R"(, "routes": [{"from": "a", "to": "b"}])", R"([{"from_s": 2, "inner_links": ["a-b"]}])"));
  CHECK(path_at(other, 1) == "0");
  CHECK(path_at(other, 1e6) == "2 4");
}

TEST_CASE("what is off again and again is gone around over the same paths") {
  const auto with = [](const std::string& outages) {
    std::string text = lans(R"(, "reroute": true)");
    text.insert(text.size() - 1, R"(, "outages": )" + outages);
    return made(text);
  };
  const std::string first = R"([{"from_s": 1, "until_s": 2, "inner_links": ["c-b"]})";
  const Network once = with(first + "]");
  const Network often = with(first + R"(, {"from_s": 3, "until_s": 6, "inner_links": ["c-b"]},
                                          {"from_s": 4, "until_s": 5, "inner_links": ["a-c"]},
                                          {"from_s": 7, "until_s": 8, "inner_links": ["a-b"]}])");
  CHECK(often.paths() == once.paths());
  CHECK(once.paths() == once.links() + 4);  // those between the LANs, both ways
  const LinkId link = often.find(0, 1);
  const auto path_at = [&](double s) { return often.path(link, Time() + Duration::seconds(s)); };
  CHECK(path_at(1.5) >= often.links());
  for (const double s : {3.5, 4.5, 5.5}) CHECK(path_at(s) == path_at(1.5));  // although something else is off, too
  for (const double s : {0.5, 2.5, 6.5, 7.5}) CHECK(path_at(s) == link);
}

TEST_CASE("a network that goes around what is off needs an outage, and messages with one route each") {
  const auto with = [](const std::string& more) {
    std::string text = lans(R"(, "reroute": true)");
    text.insert(text.size() - 1, more);
    return problems(text);
  };
  const std::string place = "s.json: /network/underlay/reroute: expected false ";
  const std::string outage = R"(, "outages": [{"from_s": 1, "inner_links": ["a-b"]}])";
  CHECK(with(outage).empty());
  CHECK(with("") == place + "without outages of inner_links, found true");
  CHECK(with(R"(, "outages": [{"from_s": 1, "links": [[0, 1]]}])") ==
        place + "without outages of inner_links, found true");
  CHECK(with(outage + R"(, "media": [{"name": "cell", "agents": [1, 2], "bandwidth_bytes_per_s": 1e6,
                                      "broadcast_once": true}])") ==
        place + "where one transmission reaches several agents (broadcast_once), found true");
  CHECK(with(outage + R"(, "links": [{"links": [[0, 1]], "queue": {"messages": 2, "full": "backpressure"}}])") ==
        place + "where messages stay at their sender (backpressure), found true");
  CHECK(problems(R"({"underlay": {"nodes": 3, "reroute": true, "links": [{"ends": ["0", "1"], "joules_per_byte": 1}]},
                     "outages": [{"from_s": 1, "inner_links": ["0-1"]}]})")
            .starts_with(place + "where links have joules_per_byte"));
}

TEST_CASE("a route that is stated holds for its direction") {
  const Network network = made(lans(R"(, "routes": [{"from": "a", "to": "b"}])"));
  CHECK(path_of(network, 0, 1) == "0");
  CHECK(path_of(network, 1, 0) == "5 3");
}

TEST_CASE("both directions of a half-duplex link share its bandwidth") {
  const Network network =
      made(R"({"underlay": {"nodes": 2, "agents": [0, 1, 1], "links": [{"ends": ["0", "1"], "duplex": "half"}]}})");
  CHECK(path_of(network, 0, 1) == "0");
  CHECK(path_of(network, 1, 0) == "0");
}

TEST_CASE("problems of an underlay are reported together") {
  CHECK(problems(R"({"underlay": {"nodes": ["a", "b", "a"], "agents": ["a", "x", "b"], "links": [
          {"ends": ["a", "c"]}], "routes": [{"from": "a", "to": "b"}]}})") ==
        "s.json: /network/underlay/nodes/2: expected each node once, found \"a\"\n"
        "s.json: /network/underlay/links/0/ends/1: expected a node, found \"c\"\n"
        "s.json: /network/underlay/agents/1: expected a node, found \"x\"\n"
        "s.json: /network/underlay/routes/0: expected nodes each of which has a link to the next one, found a, b");
  CHECK(problems(R"({"underlay": {"nodes": 3, "links": [{"ends": ["0", "1"]}, {"ends": ["1", "0"]}]}})") ==
        "s.json: /network/underlay/links: expected a route from 0 to 2, for the link from agent 0 to agent 2, found "
        "none\n"
        "s.json: /network/underlay/links: expected a route from 2 to 0, for the link from agent 2 to agent 0, found "
        "none\n"
        "s.json: /network/underlay/links: expected a route from 1 to 2, for the link from agent 1 to agent 2, found "
        "none\n"
        "s.json: /network/underlay/links: expected a route from 2 to 1, for the link from agent 2 to agent 1, found "
        "none");
  CHECK(problems(R"({"underlay": {"nodes": 3, "links": [{"ends": ["1", "1"]}]}})") ==
        "s.json: /network/underlay/links/0/ends: expected two different nodes, found 1");
}

TEST_CASE("bandwidths and latencies may be schedules, traces and files of mahimahi") {
  const Network network = made(R"({"latency_ms": {"kind": "schedule", "at_s": [0, 120], "values": [250, 600]},
    "links": [{"links": [[0, 1]], "bandwidth_bytes_per_s": {"kind": "schedule", "at_s": [0, 1], "values": [8000, 0],
               "scale": 125, "repeat_after_s": 2}}]})");
  const LinkId link = network.find(0, 1);
  CHECK(network.latency(network.over(link), test::at(119'999'999'999)) == Duration::milliseconds(250));
  CHECK(network.latency(network.over(link), test::at(120'000'000'000)) == Duration::milliseconds(600));
  CHECK(network.schedule(network.over(link))->at(test::at(0)) == 1e6);
  CHECK(network.schedule(network.over(link))->at(test::at(1'500'000'000)) == 0);
  CHECK(network.path_at(link, test::at(1'500'000'000)).bytes_per_s == 1e6);  // the next one above 0
}

TEST_CASE("schedules that cannot be are refused") {
  const auto of_link = [](const std::string& rate) {
    return problems(R"({"links": [{"links": [[0, 1]], "bandwidth_bytes_per_s": )" + rate + "}]}");
  };
  const std::string place = "s.json: /network/links/0/bandwidth_bytes_per_s";
  CHECK(of_link(R"({"kind": "schedule", "at_s": [0, 1], "values": [5, 0]})") ==
        place + "/values: expected a last bandwidth above 0, or one above 0 that comes again, found 0.0");
  CHECK(of_link(R"({"kind": "schedule", "at_s": [0, 1], "values": [0.5, 7]})") ==
        place + "/values: expected bandwidths of 0, or of at least 1 byte per second, found 0.5");
  CHECK(of_link(R"({"kind": "schedule", "at_s": [1, 1], "values": [5]})") ==
        place + "/values: expected 2 numbers, one for each time, found 1\n" + place +
            "/at_s/1: expected a time after the one before, found 1.0");
  CHECK(of_link("0.5") == place + ": expected numbers at least 1, found 0.5");
}

TEST_CASE("links and inner links lose messages with probabilities that may change") {
  const Network network = made(R"({
    "underlay": {"nodes": 2, "agents": [0, 1, 1],
                 "links": [{"ends": ["0", "1"], "both_ways": false, "loss_probability": 0.25}, {"ends": ["1", "0"]}]},
    "links": [{"links": [[0, 1], [0, 2]], "both_ways": false,
               "loss_probability": {"kind": "schedule", "at_s": [0, 120], "values": [1, 5], "scale": 0.2}},
              {"links": [[0, 2]], "loss_probability": 0}]})");
  const LinkLoss* const changing = network.loss(network.over(network.find(0, 1)));
  REQUIRE(changing);
  CHECK(changing->at(test::at(119'999'999'999)) == 0.2);
  CHECK(changing->at(test::at(120'000'000'000)) == 1);
  CHECK_FALSE(network.loss(network.over(network.find(1, 0))));
  CHECK_FALSE(network.loss(network.over(network.find(0, 2))));  // the last entry of a link holds
  REQUIRE(network.loss(network.inner(0)));
  CHECK(network.loss(network.inner(0))->at(test::at(0)) == 0.25);
  CHECK_FALSE(network.loss(network.inner(1)));
}

TEST_CASE("probabilities of losses that cannot be are refused") {
  const auto of_both = [](const std::string& loss, const std::string& more = "") {
    return problems(R"({"links": [{"links": [[0, 1]], "loss_probability": )" + loss + R"(}],
      "underlay": {"nodes": 3, "agents": [0, 0, 0], "links": [{"ends": ["0", "1"], "loss_probability": )" +
                    loss + "}]}" + more + "}");
  };
  const auto at_both = [](const std::string& problem) {
    return "s.json: /network/links/0/loss_probability" + problem +
           "\ns.json: /network/underlay/links/0/loss_probability" + problem;
  };
  CHECK(of_both("1.5") == at_both(": expected numbers from 0 to 1, found 1.5"));
  CHECK(of_both("-0.1") == at_both(": expected a number at least 0, found -0.1"));
  CHECK(of_both("1", R"(, "retransmit": {})") ==
        at_both(": expected below 1 where messages are sent again, found 1.0"));
  CHECK(of_both(R"({"kind": "schedule", "at_s": [0, 1], "values": [0.5, 1.5]})") ==
        at_both("/values: expected probabilities, at most 1, found 1.5"));
  CHECK(of_both(R"({"kind": "schedule", "at_s": [0, 1], "values": [0.5, -1]})") ==
        at_both("/values/1: expected a number at least 0, found -1"));
  CHECK(of_both(R"({"kind": "mahimahi", "path": "cell.down"})") ==
        at_both("/kind: expected another kind, since mahimahi's files are bandwidths, found mahimahi"));
}

TEST_CASE("queues and media belong to fifo, and an agent to one medium") {
  CHECK(problems(R"({"sharing": "fair", "links": [{"links": [[0, 1]], "queue": {"messages": 2}}]})") ==
        "s.json: /network/sharing: expected fifo, since nothing waits in a queue under others, found fair");
  CHECK(problems(R"({"links": [{"links": [[0, 1]], "queue": {}}]})") ==
        "s.json: /network/links/0/queue/bytes: expected a limit of bytes or messages, or both, found none");
  CHECK(problems(R"({"media": [{"name": "one", "agents": [0, 1], "bandwidth_bytes_per_s": 1e6},
                               {"name": "two", "agents": [1, 5], "bandwidth_bytes_per_s": 1e6}]})") ==
        "s.json: /network/media/1/agents/0: expected an agent that is in no other medium, found 1\n"
        "s.json: /network/media/1/agents/1: expected agents below 3, found 5");
}

TEST_CASE("one broadcast for all receivers has no connection, and does not wait in a sender's queue") {
  const auto of_cell = [](const std::string& more) {
    return problems(R"({"media": [{"name": "cell", "agents": [0, 1], "bandwidth_bytes_per_s": 1e6,
                                   "broadcast_once": true}], )" +
                    more + "}");
  };
  const std::string place = "s.json: /network/media/0/broadcast_once: ";
  CHECK(of_cell(R"("transport": {"kind": "tcp"})") ==
        place + "expected false, since a connection has one receiver (network.transport is tcp), found true");
  const std::string queued =
      place +
      "expected false, since senders queue messages for one receiver each (an up_queue, or backpressure), found true";
  CHECK(of_cell(R"("interfaces": [{"agents": [0], "up_bytes_per_s": 9, "up_queue": {"messages": 2}}])") == queued);
  CHECK(of_cell(R"("links": [{"links": [[0, 1]], "queue": {"messages": 2, "full": "backpressure"}}])") == queued);
  CHECK(of_cell(R"("interfaces": [{"agents": [0], "down_bytes_per_s": 9, "down_queue": {"messages": 2}}])").empty());
}

}  // namespace lagnet::make_underlay_test
