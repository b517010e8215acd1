#include <catch2/catch.hpp>
#include <cmath>

#include "scenarios/format/retimable.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::assemble_optimal_test {

namespace {

const std::string sequence = R"({"kind": "sequence", "graphs": [{"kind": "ring", "agents": 5},
                                                                {"kind": "star", "agents": 5}]})";

/// The small scenario with an l2 regularizer and this algorithm.
ScenarioFile with(const std::string& algorithm, const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({"problem": {"regularizer": {"kind": "l2", "weight": 0.1}}})");
  file.document["algorithm"] = Json::parse(algorithm);
  file.document.merge_patch(Json::parse(changes));
  return file;
}

std::string problems_of(const ScenarioFile& file) {
  return scenario_problems([&] { assembled(file); });
}

const std::string logistic =
    R"({"data": {"source": "gaussian_classification"}, "problem": {"loss": {"kind": "logistic"}}})";

}  // namespace

TEST_CASE("methods with optimal rates reach the optimum of their scenario and list their constants") {
  for (const char* kind : {"ssda", "msda", "apapc", "opapc"})
    for (const std::string& changes : {std::string("{}"), logistic}) {
      CAPTURE(kind, changes);
      ScenarioFile file = with(std::string(R"({"kind": ")") + kind + "\"}", changes);
      file.document["stop"]["rounds"] = 1500;
      const Experiment made = assembled(file);
      const Outcome outcome = run(made);
      CHECK(*outcome.rows.back().relative_error < 1e-10);
      const Json constants = summary(made, outcome)["constants"];
      CHECK(constants["chi"].get<double>() == Approx((5 + std::sqrt(5.0)) / (5 - std::sqrt(5.0))));  // a ring of five
      const bool has_one = std::string(kind) == "ssda" || std::string(kind) == "apapc";
      CHECK(constants["K"] == (has_one ? 0.0 : 1.0));  // floor(sqrt(2.618))
    }
}

TEST_CASE("only methods with several exchanges a round have a number of them") {
  CHECK_THAT(problems_of(with(R"({"kind": "ssda", "K": 2})")),
             Catch::StartsWith("small.json: /algorithm/K: expected one"));
  CHECK_THAT(problems_of(with(R"({"kind": "apapc", "K": 2})")),
             Catch::StartsWith("small.json: /algorithm/K: expected one"));
  CHECK(problems_of(with(R"({"kind": "msda", "K": -1})")) ==
        "small.json: /algorithm/K: expected an integer from 0 to 1000000000, found -1");
  CHECK(problems_of(with(R"({"kind": "opapc", "K": 100000})")) ==
        "small.json: /algorithm/K: expected a degree whose polynomial has finite coefficients; 1 is usual here, found "
        "100000");
  CHECK(problems_of(with(R"({"kind": "msda", "K": 0})")).empty());
}

TEST_CASE("methods with optimal rates report unmet needs at the key of the problem") {
  for (const char* kind : {"ssda", "msda", "apapc", "opapc", "adom_plus"}) {
    CAPTURE(kind);
    const std::string algorithm = std::string(R"({"kind": ")") + kind + "\"}";
    CHECK_THAT(problems_of(with(algorithm, R"({"problem": {"regularizer": {"kind": "l1"}}})")),
               Catch::StartsWith(std::string("small.json: /problem/regularizer/kind: expected l2 or none, since ") +
                                 kind + " has no prox"));
    CHECK_THAT(problems_of(with(algorithm, R"({"problem": {"loss": {"kind": "absolute"}}})")),
               Catch::StartsWith("small.json: /algorithm/kind: expected an algorithm that needs no gradient"));
    // 20 samples of 7 features among 5 agents.
    CHECK(problems_of(with(algorithm, R"({"problem": {"regularizer": {"kind": "none", "weight": null}}})")) ==
          "small.json: /algorithm/mu: expected above 0; agent 0's part has least curvature 0: give mu, or an l2 "
          "regularizer, found theory");
    CHECK_THAT(problems_of(with(std::string(R"({"kind": ")") + kind + R"(", "mu": 2, "L": 1})")),
               Catch::StartsWith("small.json: /algorithm/L: expected at least mu, found 1"));
  }
}

TEST_CASE("runs whose dual gradients are found by Newton's method are neither timed nor retimed") {
  const std::string off = R"("numerics": "off")";
  for (const char* kind : {"ssda", "msda"}) {
    const std::string algorithm = std::string(R"({"kind": ")") + kind + "\"}";
    ScenarioFile timed = with(algorithm, logistic);
    CHECK(why_not_retimable(read_scenario(timed)) ==
          std::vector<std::string>{std::string("algorithm.kind: ") + kind +
                                   " does or sends what depends on its numbers, so that its events cannot run without "
                                   "them"});
    timed.document["numerics"] = "off";
    CHECK(problems_of(timed) == std::string("small.json: /problem/loss/kind: expected squared with numerics off, since "
                                            "what ") +
                                    kind + " does with others depends on their numbers, found logistic");
    CHECK(why_not_retimable(read_scenario(with(algorithm))).empty());
    CHECK(problems_of(with(algorithm, "{" + off + "}")).empty());
  }
  CHECK(why_not_retimable(read_scenario(with(R"({"kind": "opapc"})", logistic))).empty());
}

TEST_CASE("only adom_plus of them runs on a sequence of graphs, and on no other changing topology") {
  ScenarioFile turns = with(R"({"kind": "adom_plus"})");
  turns.document["topology"] = Json::parse(sequence);
  const Experiment made = assembled(turns);
  CHECK(made.facts.graphs.size() == 2);
  CHECK(summary(made, run(made))["constants"]["chi"].get<double>() == Approx(5));  // of the star
  turns.document["algorithm"]["chi"] = 4.9;
  CHECK(problems_of(turns) == "small.json: /algorithm/chi: expected at least 5, that of the graphs, found 4.9");
  turns.document["algorithm"]["chi"] = 0.5;
  CHECK(problems_of(turns) == "small.json: /algorithm/chi: expected a number at least 1, or theory, found 0.5");
  for (const char* kind : {"ssda", "msda", "apapc", "opapc"}) {
    turns.document["algorithm"] = {{"kind", kind}};
    CHECK(problems_of(turns) ==
          std::string("small.json: /topology/kind: expected a graph that does not change, since ") + kind +
              " needs every exchange, found sequence");
  }
  for (const char* kind : {"ssda", "msda", "apapc", "opapc", "adom_plus"})
    CHECK(problems_of(with(std::string(R"({"kind": ")") + kind + "\"}",
                           R"({"topology": {"changes": {"kind": "random_matchings"}}})")) ==
          std::string("small.json: /topology/changes: expected null, since ") + kind +
              " needs every exchange, found "
              "random_matchings");
}

TEST_CASE("methods with optimal rates are refused where a message may be missing") {
  const std::string missing = R"({
    "network": {"loss_probability": 0.1, "burst_loss": {"enter": 0.1, "leave": 0.5},
                "outages": [{"links": [[0, 1]], "from_s": 1}]},
    "participation": {"missing_neighbor": {"kind": "skip", "deadline_ms": 10},
                      "availability": [{"kind": "crash", "agent": 1, "at_s": 1}]}})";
  for (const std::string kind : {"ssda", "msda", "apapc", "opapc", "adom_plus"}) {
    const std::string algorithm = R"({"kind": ")" + kind + "\"}",
                      why = ", since " + kind + " needs every exchange, found ";
    const std::string problems = problems_of(with(algorithm, missing));
    for (const char* where :
         {"/network/loss_probability: expected 0, or retransmit", "/network/burst_loss: expected null, or retransmit",
          "/network/outages: expected none, or retransmit", "/participation/missing_neighbor/kind: expected wait",
          "/participation/availability: expected none"})
      CHECK_THAT(problems, Catch::Contains(std::string("small.json: ") + where + why));
    CHECK(problems_of(with(algorithm, R"({"network": {"loss_probability": 0.1, "retransmit": {"timeout_ms": 30},
                                                      "duplicate_probability": 0.1, "jitter_ms": 5}})"))
              .empty());
  }
}

TEST_CASE("iterates of methods with optimal rates do not depend on times or losses that are repaired or copies") {
  for (const char* kind : {"msda", "opapc"}) {
    const std::string algorithm = std::string(R"({"kind": ")") + kind + "\"}";
    const Outcome plain = run(assembled(with(algorithm)));
    const Outcome other = run(assembled(with(algorithm, R"({
      "network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 50}, "jitter_ms": 5, "loss_probability": 0.2,
                  "duplicate_probability": 0.2, "retransmit": {"timeout_ms": 100}},
      "compute": {"speed_flops_per_s": {"kind": "lognormal", "median": 1e6, "sigma": 1}}})")));
    CHECK(other.rows.back().objective == plain.rows.back().objective);
    CHECK(other.rows.back().at != plain.rows.back().at);
  }
}

}  // namespace lagnet::assemble_optimal_test
