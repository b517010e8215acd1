#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"

/// Sequences whose rounds have weights of their own.
namespace lagnet::make_topology_rounds_test {

namespace {

/// A method of peers over this topology.
ScenarioFile over(const std::string& topology, const std::string& algorithm, const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({"data": {"samples": 48, "features": 4},
                                         "problem": {"regularizer": {"kind": "l2", "weight": 0.1}}})");
  file.document["topology"] = Json::parse(topology);
  file.document["algorithm"] = Json::parse(algorithm);
  file.document.merge_patch(Json::parse(changes));
  return file;
}

std::string problems_of(const ScenarioFile& file) {
  return scenario_problems([&] { assembled(file); });
}

const std::string one_peer = R"({"kind": "one_peer_exponential", "agents": 8})",
                  cube = R"({"kind": "hypercube_matchings", "agents": 8})",
                  base = R"({"kind": "base_graph", "agents": 6})",
                  local = R"({"kind": "epidemic", "agents": 8, "s": 2})",
                  oracle = R"({"kind": "epidemic", "agents": 8, "s": 2, "oracle": true})";
const std::string halves = R"({"kind": "sequence", "connected": "union", "weights": "round",
    "gossip": "metropolis", "graphs": [
    {"kind": "edges", "agents": 4, "edges": [[0, 1], [2, 3]]},
    {"kind": "edges", "agents": 4, "edges": [[0, 2], [1, 3]]}]})";
const std::string pairs = R"({"kind": "sequence", "connected": "union", "weights": "round",
    "gossip": "metropolis", "graphs": [
    {"kind": "edges", "agents": 4, "edges": [[0, 1]]},
    {"kind": "edges", "agents": 4, "edges": [[2, 3]]},
    {"kind": "edges", "agents": 4, "edges": [[0, 2], [1, 3]]}]})";
const std::string long_run = R"({"stop": {"rounds": 1500}, "record": {"every": 1500}})";

/// consensus_error of the last row, the first metric of gossip_averaging.
double spread(const Outcome& outcome) { return outcome.rows.back().metrics.at(0).value(); }

}  // namespace

TEST_CASE("gossip over rounds that average exactly ends at the mean") {
  const std::string gossip = R"({"kind": "gossip_averaging"})";
  for (const auto& [topology, rounds] :
       std::vector<std::pair<std::string, int>>{{one_peer, 3},
                                                {cube, 3},
                                                {base, 4},
                                                {R"({"kind": "base_graph", "agents": 25})", 9},
                                                {halves, 2},
                                                {pairs, 3}}) {
    CAPTURE(topology);
    ScenarioFile file = over(topology, gossip);
    file.document["stop"]["rounds"] = rounds;
    CHECK(spread(run(assembled(file))) < 1e-14);  // a rounding for each of at most nine products
    file.document["stop"]["rounds"] = rounds - 1;
    CHECK(spread(run(assembled(file))) > 1e-3);
  }
  // With the weights of the union an agent keeps what the round's graph lacks, so that no round averages.
  ScenarioFile kept = over(halves, gossip, R"({"topology": {"weights": "union"}, "stop": {"rounds": 2}})");
  CHECK(spread(run(assembled(kept))) > 1e-3);
}

TEST_CASE("methods whose rounds mix alone reach the optimum over graphs that are connected together") {
  const std::string tracking = R"({"kind": "gradient_tracking", "step": 0.08)";
  for (const std::string& topology : {one_peer, cube, base, halves, oracle})
    for (const std::string& method :
         {tracking + "}", tracking + R"(, "form": "adapt_first"})", tracking + R"(, "form": "adapt_then_combine"})",
          std::string(R"({"kind": "nids", "step": 0.2})"), std::string(R"({"kind": "push_diging", "step": 0.08})"),
          std::string(R"({"kind": "push_pull", "step": 0.08})")}) {
      CAPTURE(topology, method);
      const Outcome outcome = run(assembled(over(topology, method, long_run)));
      CHECK(*outcome.rows.back().relative_error < 1e-12);  // linear convergence to the rounding of F
    }
  CHECK(*run(assembled(over(local, R"({"kind": "push_diging", "step": 0.05})", long_run))).rows.back().relative_error <
        1e-12);
}

TEST_CASE("a round sends a vector over each of its arcs or in each direction of its edges") {
  const auto messages = [](const std::string& topology) {
    const std::string patch = R"({"stop": {"rounds": 4}, "record": {"every": 1}})";
    const Outcome outcome = run(assembled(over(topology, R"({"kind": "dgd", "step": 0.1})", patch)));
    CHECK(outcome.ledger.total().messages_lost == 0);
    return outcome.ledger.total().messages_sent;
  };
  CHECK(messages(one_peer) == 4 * 8);
  CHECK(messages(cube) == 4 * 8);
  CHECK(messages(base) == 4 + 4 + 4 + 6);
  CHECK(messages(local) == 4 * 16);
  CHECK(messages(oracle) == 4 * 16);
}

TEST_CASE("rounds that are drawn are the same on every run and for any number of threads") {
  for (const std::string& topology : {local, oracle, one_peer}) {
    const ScenarioFile file = over(topology, R"({"kind": "push_diging", "step": 0.05})",
                                   R"({"network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 90}}})");
    const Experiment made = assembled(file);
    const auto files = written_files(made, run(made));
    CHECK(written_files(made, run(made, {.threads = 3})) == files);
    CHECK(written_files(assembled(file), run(assembled(file))) == files);
  }
}

TEST_CASE("iterates over one-way rounds do not depend on latencies") {
  for (const std::string& topology : {one_peer, oracle}) {
    ScenarioFile file = over(topology, R"({"kind": "gradient_tracking", "step": 0.05})");
    const Outcome even = run(assembled(file));
    file.document["network"] =
        Json::parse(R"({"latency_ms": {"kind": "uniform", "low": 1, "high": 90}, "jitter_ms": 5})");
    CHECK(run(assembled(file)).rows.back().objective == even.rows.back().objective);
  }
}

TEST_CASE("methods that need one gossip matrix of all rounds are refused over rounds of their own") {
  const auto told = [](const std::string& topology, const std::string& kind) {
    return problems_of(over(topology, R"({"kind": ")" + kind + "\"}"));
  };
  for (const char* kind : {"extra", "netlasso", "dpag", "accel_tracking", "adom_plus"}) {
    CAPTURE(kind);
    for (const std::string& topology : {one_peer, cube, base, oracle})
      CHECK_THAT(told(topology, kind),
                 Catch::Contains("/topology/kind: expected a graph that does not change, or a sequence of connected "
                                 "graphs with the weights of their union, since " +
                                 std::string(kind) + " needs them, found " +
                                 Json::parse(topology)["kind"].get<std::string>()));
  }
  CHECK_THAT(problems_of(over(halves, R"({"kind": "adom_plus"})", R"({"topology": {"weights": "union"}})")),
             Catch::Contains("since adom_plus needs them, found sequence"));
  for (const char* method :
       {R"({"kind": "lead"})", R"({"kind": "msda"})", R"({"kind": "beer", "step": 0.1, "gamma": 0.2})"})
    CHECK_THAT(problems_of(over(cube, method)),
               Catch::Contains("/topology/kind: expected a graph that does not change, since "));
}

TEST_CASE("random out-neighbors are refused where rounds must be doubly stochastic, and gradient descent warns") {
  for (const char* kind : {"gradient_tracking", "nids", "gossip_averaging"})
    CHECK(problems_of(over(local, R"({"kind": ")" + std::string(kind) + "\"}")) ==
          "small.json: /topology/kind: expected W^t of every round doubly stochastic, which random out-neighbors are "
          "not; push_diging takes them, found epidemic");
  const auto warned = [](const std::string& topology) {
    for (const Remark& warning : assembled(over(topology, R"({"kind": "dgd", "step": 0.1})")).warnings)
      if (warning.code == "rounds_row_stochastic") return true;
    return false;
  };
  CHECK(warned(local));
  CHECK_FALSE(warned(oracle));
}

TEST_CASE("options of gossip that need one matrix are refused over rounds of their own") {
  const std::string tracking = R"({"kind": "gradient_tracking", "step": 0.1, )";
  CHECK_THAT(problems_of(over(cube, tracking + R"("gossip_target": 0.5})")),
             Catch::Contains("/algorithm/gossip_target: expected gossip_rounds, since one graph of those in turn"));
  CHECK_THAT(problems_of(over(cube, tracking + R"("acceleration": "chebyshev"})")),
             Catch::Contains("/algorithm/acceleration: expected none, since rounds mix with weights of their own"));
  CHECK(problems_of(over(cube, tracking + R"("gossip_rounds": 2})")).empty());
  CHECK_THAT(
      problems_of(over(halves, tracking + R"("form": "diging"})", R"({"topology": {"gossip": {"path": "W.csv"}}})")),
      Catch::Contains("/topology/gossip: expected a rule, since each round's graph has a matrix of its own"));
}

TEST_CASE("graphs whose union is not connected are refused") {
  ScenarioFile file = over(halves, R"({"kind": "dgd", "step": 0.1})");
  file.document["topology"]["graphs"][1] = file.document["topology"]["graphs"][0];
  CHECK(problems_of(file) ==
        "small.json: /topology/graphs: expected the union over all graphs connected, found 2 components");
  file = over(halves, R"({"kind": "dgd", "step": 0.1})", R"({"topology": {"connected": "each"}})");
  CHECK_THAT(problems_of(file),
             Catch::StartsWith("small.json: /topology/graphs/0: expected a connected graph, as all of a sequence are, "
                               "found 2 components"));
}

TEST_CASE("sizes of sequences that cannot be are refused at their keys") {
  const std::string dgd = R"({"kind": "dgd", "step": 0.1})";
  CHECK(problems_of(over(R"({"kind": "hypercube_matchings", "agents": 6})", dgd)) ==
        "small.json: /topology/agents: expected a power of two, found 6");
  CHECK(problems_of(over(R"({"kind": "base_graph", "agents": 4, "k": 4})", dgd)) ==
        "small.json: /topology/k: expected below agents, found 4");
  CHECK(problems_of(over(R"({"kind": "epidemic", "agents": 4, "s": 4})", dgd)) ==
        "small.json: /topology/s: expected below agents, found 4");
  CHECK(problems_of(over(R"({"kind": "one_peer_exponential", "agents": 1})", dgd)) ==
        "small.json: /topology/agents: expected an integer at least 2, found 1");
  CHECK(problems_of(over(R"({"kind": "base_graph", "agents": 4, "changes": {"kind": "random_matchings"}})", dgd)) ==
        "small.json: /topology/changes: expected null, since a sequence defines its own changes, found "
        "random_matchings");
}

TEST_CASE("theory's step follows from the least eigenvalue of any round") {
  const auto step = [](const std::string& topology) {
    const Experiment made = assembled(over(topology, R"({"kind": "dgd"})"));
    return summary(made, run(made))["constants"]["step"].get<double>() / (1 + made.facts.round_weights->lowest);
  };
  const double half = step(cube);
  CHECK(step(one_peer) == Approx(half));
  CHECK(step(oracle) == Approx(half));
  CHECK(assembled(over(one_peer, R"({"kind": "dgd"})")).facts.round_weights->lowest == 0);
  // The edges of weight 2/3 between pairs: [1/3 2/3; 2/3 1/3].
  CHECK(assembled(over(base, R"({"kind": "dgd"})")).facts.round_weights->lowest == Approx(-1.0 / 3));
}

}  // namespace lagnet::make_topology_rounds_test
