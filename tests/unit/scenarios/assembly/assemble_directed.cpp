#include <catch2/catch.hpp>
#include <string>

#include "scenarios/results/run_summary.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"

/// Scenarios whose links go one way.
namespace lagnet::assemble_directed_test {

namespace {

/// A ring of five arcs and two more, for push-DIGing.
ScenarioFile directed_scenario(const std::string& changes = "{}", const std::filesystem::path& folder = "/nowhere") {
  ScenarioFile file = small_scenario(R"({
    "problem": {"regularizer": {"kind": "l2", "weight": 0.1}},
    "topology": {"kind": "edges", "directed": true,
                 "edges": [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0], [0, 3], [2, 1]]},
    "algorithm": {"kind": "push_diging", "step": 0.05}})",
                                     folder);
  file.document.merge_patch(Json::parse(changes));
  return file;
}

std::string problems_with(const std::string& changes, const std::filesystem::path& folder = "/nowhere") {
  return scenario_problems([&] { assembled(directed_scenario(changes, folder)); });
}

/// Another topology in the place of the scenario's.
std::string problems_on(const Json& topology, const std::filesystem::path& folder = "/nowhere") {
  ScenarioFile file = directed_scenario("{}", folder);
  file.document["topology"] = topology;
  return scenario_problems([&] { assembled(file); });
}

double latency_ms(const Network& network, AgentId from, AgentId to) {
  return static_cast<double>(network.link(network.find(from, to)).latency.ns()) * 1e-6;
}

}  // namespace

TEST_CASE("arcs of a topology are links of one direction with accounts of their own") {
  const Experiment made = assembled(directed_scenario());
  CHECK(made.network->is_directed());
  CHECK(made.network->links() == 7);
  const Outcome outcome = run(made);
  CHECK_FALSE(outcome.failed());
  const auto files = written_files(made, outcome);
  const std::string& links = files.at("links.csv");
  CHECK(std::count(links.begin(), links.end(), '\n') == 8);
  for (const char* row : {"\n0,1,", "\n0,3,", "\n2,1,", "\n4,0,"}) CHECK(links.find(row) != std::string::npos);
  CHECK(links.find("\n1,0,") == std::string::npos);
  CHECK(outcome.ledger.total().messages_sent == 12 * 7);
  const Json facts = summary(made, outcome).at("topology");
  CHECK(facts.at("arcs") == 7);
  CHECK(facts.at("directed") == true);
  CHECK_FALSE(facts.contains("edges"));
  CHECK(facts.at("degree_max") == 2);
  CHECK(facts.at("in_degree_max") == 2);
  CHECK(facts.at("laplacian_max").is_null());
  CHECK(facts.at("why") == "no eigenvalues: links go one way");
}

TEST_CASE("algorithms that need links both ways refuse a directed topology and name those that do not") {
  const auto refusal = [](const std::string& kind) {
    return "small.json: /algorithm/kind: " + kind +
           " needs an undirected topology; push_diging, push_pull, subgradient_push and push_sum take directed ones";
  };
  for (const std::string kind : {"nids", "gossip_averaging", "asy_sonata", "fed_avg"}) {
    CAPTURE(kind);
    const Json algorithm{{"kind", kind}, {"step", nullptr}};
    Json changes{{"algorithm", algorithm}};
    if (kind == "asy_sonata")
      changes = Json::parse(R"({"algorithm": {"kind": "asy_sonata", "step": 0.1},
                                "stop": {"rounds": null, "updates": 20}, "record": {"every": null}})");
    CHECK_THAT(problems_with(changes.dump()), Catch::Contains(refusal(kind)));
  }
  for (const std::string kind : {"push_diging", "push_pull", "subgradient_push"})
    CHECK(problems_with(Json{{"algorithm", {{"kind", kind}}}}.dump()).empty());
  CHECK(problems_with(R"({"algorithm": {"kind": "push_sum", "step": null}})").empty());
}

TEST_CASE("methods of directed graphs run on graphs whose links go both ways") {
  ScenarioFile file = directed_scenario();
  file.document["topology"] = {{"kind", "star"}, {"agents", 5}};
  const Experiment made = assembled(file);
  CHECK_FALSE(made.network->is_directed());
  CHECK_FALSE(run(made).failed());
}

TEST_CASE("the error for a digraph that is not strongly connected names unreachable agents") {
  CHECK(problems_on({{"kind", "edges"},
                     {"directed", true},
                     {"agents", 5},
                     {"edges", {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {1, 4}}}}) ==
        "small.json: /topology: the digraph has 3 strongly connected components, agents [3], [4] cannot reach agent 0; "
        "expected one component");
}

TEST_CASE("options without a meaning for directed topologies are refused") {
  CHECK_THAT(problems_with(R"({"topology": {"changes": {"kind": "random_matchings"}}})"),
             Catch::Contains("/topology/changes: expected null, since every round has every link of a directed "
                             "topology, found random_matchings"));
  const Json later{{"kind", "edges"}, {"directed", true}, {"agents", 5}, {"edges", {{0, 1}, {1, 2}, {2, 3}, {3, 4}}}};
  const Json changing{{"kind", "ring"},
                      {"agents", 5},
                      {"changes", {{"kind", "graphs"}, {"graphs", {{{"from_s", 1}, {"topology", later}}}}}}};
  ScenarioFile file = small_scenario();
  file.document["topology"] = changing;
  CHECK_THAT(scenario_problems([&] { assembled(file); }),
             Catch::Contains("/topology/changes/graphs/0/topology: expected a graph whose links go both ways, found a "
                             "directed one"));
  const Json of{{"kind", "orient"}, {"one_way", 0.5}, {"of", later}};
  CHECK_THAT(problems_on(of),
             Catch::Contains("/topology: of: expected a graph without directions, found a directed one"));
  const Json twice{{"kind", "orient"}, {"one_way", 0.5}, {"of", {{"kind", "directed_ring"}, {"agents", 5}}}};
  CHECK_THAT(problems_on(twice), Catch::Contains("/topology/of/kind: expected one of complete, star, ring"));
}

TEST_CASE("directed graphs are read from files") {
  const TestFolder folder;
  folder.write("arcs.csv", "from,to\n0,1\n1,2\n2,0\n1,0\n");
  folder.write("arcs.graphml",
               "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>"
               "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"/><edge source=\"c\" target=\"a\"/>"
               "</graph></graphml>");
  const auto made = [&](const Json& topology) {
    ScenarioFile file = directed_scenario("{}", folder.path());
    file.document["topology"] = topology;
    return assembled(file).network.value();
  };
  CHECK(made({{"kind", "edge_list"}, {"path", "arcs.csv"}, {"directed", true}}).links() == 4);
  CHECK(made({{"kind", "graphml"}, {"path", "arcs.graphml"}, {"directed", true}}).links() == 3);
  // Without directions (1,0) is the edge (0,1) once more.
  CHECK_THAT(problems_on({{"kind", "edge_list"}, {"path", "arcs.csv"}}, folder.path()),
             Catch::Contains("(1,0): given twice"));
  CHECK_THAT(
      problems_on({{"kind", "graphml"}, {"path", "arcs.graphml"}}, folder.path()),
      Catch::Contains("expected GraphML of an undirected graph, found a directed one; \"directed\": true reads it"));
}

TEST_CASE("one-way links have latencies of their own and in symmetric networks those of the upward way") {
  const std::string drawn = R"("latency_ms": {"kind": "uniform", "low": 5, "high": 50})";
  const Network apart = *assembled(directed_scenario("{\"network\": {" + drawn + "}}")).network;
  const Network alike = *assembled(directed_scenario("{\"network\": {\"symmetric\": true, " + drawn + "}}")).network;
  CHECK(latency_ms(apart, 1, 2) != latency_ms(apart, 2, 1));
  CHECK(latency_ms(alike, 1, 2) == latency_ms(alike, 2, 1));
  CHECK(latency_ms(alike, 0, 3) == latency_ms(apart, 0, 3));
  CHECK(latency_ms(alike, 4, 0) != latency_ms(apart, 4, 0));  // that of the way from 0 to 4, which has no link
}

TEST_CASE("options for both directions of a link apply to the existing one") {
  const Network network = *assembled(directed_scenario(R"({"network": {
      "links": [{"links": [[1, 2], [0, 3]], "latency_ms": 77},
                {"links": [[2, 1]], "latency_ms": 5, "both_ways": false}],
      "outages": [{"from_s": 100, "links": [[0, 3]]}], "retransmit": {}}})"))
                               .network;
  CHECK(latency_ms(network, 1, 2) == 77);
  CHECK(latency_ms(network, 0, 3) == 77);
  CHECK(latency_ms(network, 2, 1) == 5);
  CHECK(latency_ms(network, 0, 1) == 2);
  CHECK_THAT(problems_with(R"({"network": {"links": [{"links": [[3, 0]], "latency_ms": 77}]}})"),
             Catch::Contains("/network/links/0/links/0: expected a link of the topology, found [3,0]"));
  CHECK_THAT(problems_with(R"({"network": {"outages": [{"from_s": 1, "links": [[3, 0]]}], "retransmit": {}}})"),
             Catch::Contains("/network/outages/0/links/0: expected a link of the topology, found [3,0]"));
}

}  // namespace lagnet::assemble_directed_test
