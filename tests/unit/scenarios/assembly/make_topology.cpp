#include "scenarios/assembly/make_topology.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "algorithms/peers/fd_primal_dual.hpp"
#include "scenarios/run/run.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::topology_schedule_test {

namespace {

const std::string matchings = R"({"topology": {"changes": {"kind": "random_matchings"}}})";

std::string with_graphs(const std::string& graphs, const std::string& more = "") {
  return R"({"topology": {"changes": {"kind": "graphs", "graphs": )" + graphs + more + "}}}";
}

std::string problems_of(const std::string& changes, const std::filesystem::path& folder = "/nowhere") {
  return scenario_problems([&] { assembled(small_scenario(changes, folder)); });
}

/// The largest || sum_j v_j || / sum_j || v_j || of any round, which the method measures where messages may be missing.
double largest_drift(const Experiment& made) {
  const MethodInput given{.problem = made.problem,
                          .feature_starts = made.partition.starts,
                          .network = made.facts,
                          .rounds = made.scenario.stop.rounds.value(),
                          .may_miss_rounds = true};
  const auto [sigma, tau] = dynamic_cast<const FdPrimalDual&>(*made.algorithm).steps();
  const FdPrimalDual method({{.sigma = sigma, .tau = tau, .chi = 1}}, given);
  struct Reports final : Recorder {
    std::map<Round, std::vector<std::vector<Vector>>> rounds;
    void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
      rounds[round].resize(5);
      rounds[round][agent].assign(parts.begin(), parts.end());
    }
  } reports;
  Simulation world(*made.network, *made.compute, {.seed = made.scenario.seed, .model = made.model});
  world.record(reports);
  method.spawn(world);
  world.run();
  REQUIRE(std::ssize(reports.rounds) == given.rounds + 1);
  REQUIRE(reports.rounds.rbegin()->second[0][2].norm() > 0);
  double largest = 0;
  for (const auto& [round, report] : reports.rounds)
    largest = std::max(largest, method.evaluate(round, report, {}).metrics.back().value());
  return largest;
}

}  // namespace

TEST_CASE("the topology of graphs in turn has the edges of all of them, and a schedule") {
  const Experiment made = assembled(small_scenario(with_graphs(
      R"([{"from_s": 1, "topology": {"kind": "star", "agents": 5}},
                        {"from_s": 3, "topology": {"kind": "path", "agents": 5}}])",
      R"(, "repeat_s": 4)")));
  CHECK(made.topology->edges().size() == 7);  // the ring, and the star's edges to 2 and 3
  CHECK(made.network->links() == 14);
  CHECK(made.facts.laplacian_max == Approx(5));  // agent 0 is linked with all others; 1e-9: what spectrum() states
  const TopologySchedule& schedule = *made.model.topology;
  const auto at = [&](double seconds, AgentId a, AgentId b) {
    const auto graph = schedule.graph(Time() + Duration::seconds(seconds));
    return schedule.active(made.network->find(a, b), 1, graph);
  };
  CHECK((at(0, 0, 4) && at(0, 2, 3) && !at(0, 0, 2)));
  CHECK((at(1, 0, 4) && !at(1, 2, 3) && at(1, 0, 2) && at(1, 2, 0)));
  CHECK((!at(3.9, 0, 4) && at(3.9, 2, 3) && !at(3.9, 0, 2)));
  CHECK((at(4, 0, 4) && at(4, 2, 3)));
}

TEST_CASE("random graphs of the same options differ from time to time, and not from run to run") {
  const std::string random = R"({"kind": "erdos_renyi", "agents": 12, "probability": 0.3})";
  const auto file = small_scenario(R"({"topology": )" + random.substr(0, random.size() - 1) +
                                   R"(, "changes": {"kind": "graphs", "graphs": [{"from_s": 1, "topology": )" + random +
                                   R"(}, {"from_s": 2, "topology": )" + random + "}]}}}");
  const Experiment made = assembled(file), again = assembled(file);
  CHECK(std::ranges::equal(made.topology->edges(), again.topology->edges()));
  std::set<std::vector<bool>> graphs;
  for (std::uint32_t graph = 0; graph < 3; ++graph) {
    std::vector<bool> links;
    for (LinkId link = 0; link < made.network->links(); ++link)
      links.push_back(made.model.topology->active(link, 1, graph));
    graphs.insert(links);
  }
  CHECK(graphs.size() == 3);
}

TEST_CASE("multipliers add up to zero on a changing topology, since both ends of an edge see it or neither") {
  const TestFolder folder;
  folder.write("weights.csv", "0,1,2.5\n1,2,0.3\n2,3,1.7\n3,4,0.9\n0,4,3.1\n1,3,0.4\n");
  const std::string weighted =
      R"({"stop": {"rounds": 300},
          "topology": {"kind": "edge_list", "path": "weights.csv", "agents": null, "changes": )";
  for (const std::string& changes :
       {std::string(R"({"kind": "random_matchings"})"), std::string(R"({"kind": "random_edges", "probability": 0.4})"),
        std::string(R"({"kind": "graphs", "repeat_s": 0.03,
                        "graphs": [{"from_s": 0.01,
                                    "topology": {"kind": "edge_list", "path": "later.csv", "agents": 5}}]})")}) {
    folder.write("later.csv", "0,2,0.6\n3,4,0.9\n");
    INFO(changes);
    const Experiment made = assembled(small_scenario(weighted + changes + "}}", folder.path()));
    REQUIRE(!made.facts.link_weights.empty());
    // 300 rounds add a few roundings of 1e-16 each to five multipliers, which are of the size of a round's step.
    CHECK(largest_drift(made) < 1e-12);
  }
}

TEST_CASE("a link that a round does not have costs nothing and loses nothing") {
  const Outcome outcome = run(assembled(small_scenario(matchings)));
  const AgentAccount& total = outcome.ledger.total();
  // A maximal matching of a ring of five has two edges: two exchanges of four messages in each of twelve rounds.
  CHECK(total.messages_sent == 12 * 2 * 4);
  CHECK(total.messages_received == total.messages_sent);
  CHECK((total.dropped == 0 && total.messages_lost == 0 && total.stale == 0));
  CHECK(outcome.rows.back().participants == 5);
}

TEST_CASE("on random matchings the averaged iterate still goes to the minimizer") {
  // For squared loss an unpenalized round is a linear map, and the rounds' matchings are drawn independently, so the
  // mean of the iterates follows the map of the mean Laplacian, whose saddle point has the same theta. The average over
  // the rounds then comes near it, though no single iterate does.
  const std::string changes = R"({"problem": {"regularizer": {"kind": "none", "weight": null}},
    "data": {"samples": 60}, "topology": {"changes": {"kind": "random_matchings"}},
    "stop": {"rounds": 4000}, "record": {"every": 4000}})";
  const Outcome outcome = run(assembled(small_scenario(changes)));
  const Row& last = outcome.rows.back();
  // Seen for five seeds: 1.2e-5 to 1.5e-4 after 4000 rounds, 3.5e-4 to 2.8e-3 after 1000.
  CHECK(*last.relative_error < 5e-4);
  CHECK(last.metrics[1].value() > 1e-2);  // of the last iterate
}

TEST_CASE("a changing topology gives the same files on every run and for any number of threads") {
  const Experiment made =
      assembled(small_scenario(R"({"topology": {"changes": {"kind": "random_edges", "probability": 0.5}},
    "network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 9}}, "stop": {"rounds": 60}})"));
  const auto files = written_files(made, run(made));
  CHECK(written_files(made, run(made)) == files);
  CHECK(written_files(made, run(made, {.threads = 3})) == files);
}

TEST_CASE("a changing topology is warned about where a theorem assumes one graph") {
  const auto warnings = assembled(small_scenario(matchings)).warnings;
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0].text, Catch::StartsWith("the topology changes: Theorem 1 and its steps assume one graph"));
}

TEST_CASE("graphs that do not fit together are refused, each with its place") {
  const TestFolder folder;
  folder.write("far.csv", "0,1\n1,7\n");
  folder.write("heavy.csv", "0,1,3\n");
  const std::string star = R"({"kind": "star", "agents": 4})";
  CHECK(problems_of(with_graphs(R"([{"from_s": 1, "topology": {"kind": "star", "agents": 4}},
                                    {"from_s": 2, "topology": {"kind": "edge_list", "path": "far.csv", "agents": 5}},
                                    {"from_s": 3, "topology": {"kind": "edge_list", "path": "heavy.csv", "agents": 5}},
                                    {"from_s": 4, "topology": {"kind": "edge_list", "path": "no.csv"}}])"),
                    folder.path()) ==
        "small.json: /topology/changes/graphs/0/topology: expected 5 agents, as many as the topology has, found 4\n"
        "small.json: /topology/changes/graphs/1/topology: " +
            (folder.path() / "far.csv").string() +
            ":2: expected an edge of a simple graph, found (1,7): endpoint 7 is not below 5 agents\n"
            "small.json: /topology/changes/graphs/2/topology: expected weight 1 for edge (0,1), as before, found 3\n"
            "small.json: /topology/changes/graphs/3/topology: " +
            (folder.path() / "no.csv").string() + ": expected a file that can be read, found none");
}

TEST_CASE("times of graphs ascend and end before they repeat") {
  const std::string star = R"("topology": {"kind": "star", "agents": 5}})";
  CHECK(problems_of(
            with_graphs(R"([{"from_s": 2, )" + star + R"(, {"from_s": 2, )" + star + "]", R"(, "repeat_s": 1)")) ==
        "small.json: /topology/changes/graphs/1/from_s: expected a time after that of the graph before, found 2.0\n"
        "small.json: /topology/changes/repeat_s: expected more than from_s of the last graph, found 1.0");
  CHECK(problems_of(with_graphs("[]")) ==
        "small.json: /topology/changes/graphs: expected the list of at least one graph, found []");
  CHECK(problems_of(with_graphs(R"([{"from_s": 0, )" + star + "]")) ==
        "small.json: /topology/changes/graphs/0/from_s: expected a number above 0 and at most 9000000000, found 0");
}

TEST_CASE("a later graph has no changes of its own") {
  CHECK_THAT(problems_of(with_graphs(
                 R"([{"from_s": 2, "topology": {"kind": "star", "agents": 5,
                                                      "changes": {"kind": "random_matchings"}}}])")),
             Catch::StartsWith("small.json: /topology/changes/graphs/0/topology/changes: expected one of the keys"));
}

TEST_CASE("graphs need to be connected only all together") {
  const TestFolder folder;
  folder.write("a.csv", "0,1\n2,3\n");
  folder.write("b.csv", "1,2\n");
  const auto changes = [](const char* later) {
    return R"({"topology": {"kind": "edge_list", "path": "a.csv", "agents": 4, "changes": {"kind": "graphs", )"
           R"("graphs": [{"from_s": 1, "topology": {"kind": "edge_list", "path": ")" +
           std::string(later) + R"(", "agents": 4}}]}}})";
  };
  CHECK(assembled(small_scenario(changes("b.csv"), folder.path())).topology->connected());
  CHECK(problems_of(changes("a.csv"), folder.path()) ==
        "small.json: /topology: expected a connected graph, all edges of the run together, found 2 components");
}

}  // namespace lagnet::topology_schedule_test
