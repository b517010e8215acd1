#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"

namespace lagnet::make_topology_sequence_test {

namespace {

const std::string ring = R"({"kind": "ring", "agents": 6})", star = R"({"kind": "star", "agents": 6})",
                  path = R"({"kind": "edges", "agents": 6, "edges": [[0, 2], [2, 4], [4, 1], [1, 3], [3, 5]]})";

/// Peers with a smooth problem over graphs in turn.
ScenarioFile over(const std::string& graphs, const std::string& changes = "{}",
                  const std::filesystem::path& folder = "/nowhere") {
  ScenarioFile file = small_scenario(R"({"problem": {"regularizer": {"kind": "l2", "weight": 0.1}},
                                         "algorithm": {"kind": "gradient_tracking"}})",
                                     folder);
  file.document["topology"] = Json::parse(R"({"kind": "sequence", "graphs": )" + graphs + "}");
  file.document.merge_patch(Json::parse(changes));
  return file;
}
std::string listed(const std::vector<std::string>& graphs) {
  std::string all;
  for (const std::string& graph : graphs) all += (all.empty() ? "[" : ", ") + graph;
  return all + "]";
}
const std::string three = listed({ring, path, star});

std::string problems_of(const ScenarioFile& file) {
  return scenario_problems([&] { assembled(file); });
}

}  // namespace

TEST_CASE("a sequence has the links of all of its graphs and a round runs on those of one") {
  const Experiment made = assembled(over(three));
  CHECK(made.topology->edges().size() ==
        6 + 5 + 2);  // of the star, (0,1) and (0,5) are in the ring, and (0,2) in the path
  const auto active_links = [&](Round round) {
    Index count = 0;
    for (LinkId link = 0; link < made.network->links(); ++link) count += made.model.topology->active(link, round, 0);
    return count;
  };
  for (const Round first : {1, 4, 31}) {
    CHECK(active_links(first) == 12);
    CHECK(active_links(first + 1) == 10);
    CHECK(active_links(first + 2) == 10);
  }
  const Experiment slow = assembled(over(three, R"({"topology": {"rounds_each": 3}})"));
  CHECK(slow.model.topology->active(slow.network->find(4, 5), 3, 0));
  CHECK_FALSE(slow.model.topology->active(slow.network->find(4, 5), 4, 0));
  CHECK(summary(made, run(made))["topology"]["changes"] == "sequence");
}

TEST_CASE("a sequence has no graph whose links go one way") {
  const std::string arcs = R"({"kind": "edges", "agents": 6, "edges": [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0]],
                               "directed": true})";
  const auto told = [](const std::string& graphs) { return scenario_problems([&] { assembled(over(graphs)); }); };
  const std::string why = "expected a graph without directions, found a directed one";
  CHECK_THAT(told(listed({arcs, ring})), Catch::Contains("/topology/graphs/0: " + why));
  CHECK_THAT(told(listed({ring, arcs})), Catch::Contains("/topology/graphs/1: " + why));
}

TEST_CASE("links that are not the round's carry nothing") {
  const Outcome outcome = run(assembled(over(three, R"({"stop": {"rounds": 7}, "record": {"every": 1}})")));
  // One exchange a round: rounds 1, 4 and 7 over the ring, the others over five edges.
  CHECK(outcome.ledger.total().messages_sent == 3 * 12 + 4 * 10);
  CHECK(outcome.ledger.total().messages_received == outcome.ledger.total().messages_sent);
  CHECK(outcome.ledger.total().messages_lost == 0);
}

TEST_CASE("gradient tracking reaches the optimum over graphs that take turns whatever the latencies") {
  const std::string long_run = R"({"stop": {"rounds": 2000}, "record": {"every": 2000}})";
  const Outcome outcome = run(assembled(over(three, long_run)));
  CHECK(*outcome.rows.back().relative_error < 1e-12);  // linear convergence to the rounding of F
  ScenarioFile file = over(three, long_run);
  file.document["network"] = Json::parse(R"({"latency_ms": {"kind": "uniform", "low": 1, "high": 90}})");
  CHECK(run(assembled(file)).rows.back().objective == outcome.rows.back().objective);
}

TEST_CASE("a sequence of one graph gives the iterates of that graph") {
  ScenarioFile plain = over(listed({ring}));
  plain.document["topology"] = Json::parse(ring);
  const Outcome alone = run(assembled(plain)), in_turn = run(assembled(over(listed({ring}))));
  REQUIRE(alone.rows.size() == in_turn.rows.size());
  for (std::size_t k = 0; k < alone.rows.size(); ++k)
    CHECK(*alone.rows[k].objective ==
          Approx(*in_turn.rows[k].objective).epsilon(1e-12));  // sums may be added otherwise
}

TEST_CASE("a sequence gives the same files on every run and for any number of threads") {
  const Experiment made = assembled(over(three));
  const auto files = written_files(made, run(made));
  CHECK(written_files(made, run(made)) == files);
  CHECK(written_files(made, run(made, {.threads = 3})) == files);
}

TEST_CASE("random graphs of the same options are others in a sequence and the same ones in every run") {
  const std::string random = R"({"kind": "random_regular", "agents": 12, "degree": 3})";
  const ScenarioFile file = over(listed({random, random, random}));
  const auto made = make_changing_topology(read_scenario(file), "");
  const auto again = make_changing_topology(read_scenario(file), "");
  std::set<std::vector<AgentId>> graphs;
  for (std::size_t i = 0; i < 3; ++i) {
    const Topology& graph = made.sequence->graphs[i];
    CHECK(std::ranges::equal(graph.edges(), again.sequence->graphs[i].edges()));
    std::vector<AgentId> ends;
    for (const Edge& edge : graph.edges()) ends.insert(ends.end(), {edge.from, edge.to});
    graphs.insert(ends);
  }
  CHECK(graphs.size() == 3);
}

TEST_CASE("the spectra of a sequence are those of its graphs without weights") {
  const TestFolder folder;
  folder.write("heavy.csv", "0,1,5\n1,2,0.1\n0,2,3\n");
  const std::string heavy = R"({"kind": "edge_list", "path": "heavy.csv", "agents": 3})";
  const std::string line = R"({"kind": "edges", "agents": 3, "edges": [[0, 1], [0, 2]]})";
  const auto facts_of = [&](const ScenarioFile& file) {
    const MadeTopology made = make_changing_topology(read_scenario(file), "");
    NetworkFacts facts = network_facts(made.all);
    facts.changes = made.changes != nullptr;
    add_graph_spectra(facts, made.all, made.sequence.get());
    return facts;
  };
  const NetworkFacts facts =
      facts_of(over(listed({ring, path, star}), R"({"topology": {"rounds_each": 4}})", folder.path()));
  REQUIRE(facts.graphs.size() == 3);
  // A ring of 6: 4 and 1. A path of 6: 2 - 2 cos(5 pi / 6) and 2 - 2 cos(pi / 6). A star of 6: 6 and 1.
  CHECK(facts.graphs[0].largest == Approx(4));
  CHECK(facts.graphs[0].least == Approx(1));
  CHECK(facts.graphs[1].largest == Approx(2 + std::sqrt(3.0)));
  CHECK(facts.graphs[1].least == Approx(2 - std::sqrt(3.0)));
  CHECK(facts.graphs[2].largest == Approx(6));
  CHECK(facts.graphs[2].least == Approx(1));
  CHECK((facts.turns.graphs == 3 && facts.turns.rounds_each == 4));

  ScenarioFile weighted = over(listed({line}), "{}", folder.path());
  weighted.document["topology"] = Json::parse(heavy);
  const NetworkFacts of_one = facts_of(weighted);
  REQUIRE(of_one.graphs.size() == 1);
  CHECK(of_one.graphs[0].largest == Approx(3));
  CHECK(of_one.graphs[0].least == Approx(3));
  CHECK(of_one.laplacian_max != Approx(3));
  weighted.document["topology"]["changes"] = Json::parse(R"({"kind": "random_matchings"})");
  CHECK(facts_of(weighted).graphs.empty());
}

TEST_CASE("graphs that do not make a sequence are refused with their places") {
  const TestFolder folder;
  folder.write("heavy.csv", "0,1,3\n1,2\n2,3\n3,4\n4,5\n");
  const std::string apart = R"({"kind": "edges", "agents": 6, "edges": [[0, 1], [2, 3], [4, 5]]})",
                    few = R"({"kind": "ring", "agents": 5})", many = R"({"kind": "star", "agents": 7})",
                    heavy = R"({"kind": "edge_list", "path": "heavy.csv", "agents": 6})",
                    none = R"({"kind": "edge_list", "path": "none.csv"})";
  CHECK(problems_of(over(listed({ring, apart, none}), "{}", folder.path())) ==
        "small.json: /topology/graphs/1: expected a connected graph, as all of a sequence are, found 3 components\n"
        "small.json: /topology/graphs/2: " +
            (folder.path() / "none.csv").string() + ": expected a file that can be read, found none");
  CHECK(problems_of(over(listed({ring, few, star, many, heavy}), "{}", folder.path())) ==
        "small.json: /topology/graphs/1: expected 6 agents, as many as the topology has, found 5\n"
        "small.json: /topology/graphs/3: expected 6 agents, as many as the topology has, found 7\n"
        "small.json: /topology/graphs/4: expected weight 1 for edge (0,1), as before, found 3");
  CHECK(problems_of(over("[]")) == "small.json: /topology/graphs: expected the list of at least one graph, found []");
  CHECK(problems_of(over(three, R"({"topology": {"rounds_each": 0}})")) ==
        "small.json: /topology/rounds_each: expected an integer at least 1, found 0");
  CHECK(problems_of(over(three, R"({"topology": {"changes": {"kind": "random_matchings"}}})")) ==
        "small.json: /topology/changes: expected null, since a sequence defines its own changes, found "
        "random_matchings");
  CHECK_THAT(problems_of(over(R"([{"kind": "sequence", "graphs": []}])")),
             Catch::StartsWith("small.json: /topology/graphs/0/kind: expected one of complete, star"));
}

TEST_CASE("a sequence is refused where agents have no common rounds or a server asks over all links") {
  CHECK_THAT(problems_of(over(three, R"({"algorithm": {"kind": "fed_avg", "client_step": 0.1}})")),
             Catch::Contains("small.json: /topology/kind: expected a graph that does not change, since the server of "
                             "fed_avg asks over the same links in every round, found sequence"));
  CHECK_THAT(
      problems_of(over(three, R"({"algorithm": {"kind": "ad_psgd", "step": 0.1}, "stop": {"rounds": null,
                                         "updates": 50}, "record": {"every": 1}})")),
      Catch::Contains("small.json: /topology/kind: expected a graph that does not change, since agents of ad_psgd "
                      "have no common rounds, found sequence"));
}

}  // namespace lagnet::make_topology_sequence_test
