#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"

/// Asynchronous methods whose limit does not depend on speeds: nor does it on delays, losses that are repaired, copies,
/// overtaking, or clients that forget, as long as the server's sums belong to what the clients have. A part that is
/// counted twice or never would move the limit for good.
namespace lagnet::asynchronous_limits_test {

namespace {

const char* const base_of_limits = R"({
  "lagnet": 1,
  "data": {"source": "gaussian_regression", "samples": 60, "features": 5},
  "problem": {"loss": {"kind": "squared"},
              "regularizer": {"kind": "elastic_net", "l1_weight": 0.05, "l2_weight": 0.05}},
  "topology": {"kind": "star", "agents": 5},
  "network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 9}, "jitter_ms": 3},
  "compute": {"speed_flops_per_s": {"kind": "lognormal", "median": 3e5, "sigma": 1}},
  "stop": {"rounds": 4000}, "record": {"every": 4000}
})";

std::map<std::string, std::string> worlds_of_limits() {
  const std::string crashes = R"({"kind": "crash", "agent": 2, "at_s": 0.4, "recovers_after_s": 0.1, "state": "lost"},
      {"kind": "crash", "agent": 3, "at_s": 0.9, "recovers_after_s": 0.3, "state": "lost"},
      {"kind": "crash", "agent": 4, "at_s": 0.7, "recovers_after_s": 0.2, "state": "kept"})";
  const std::string resends = R"("algorithm": {"resend_ms": 70})";
  return {{"delays", "{}"},
          {"stragglers", R"({"compute": {"straggler": {"probability": 0.2, "factor": 20}}})"},
          {"copies out of order", R"({"network": {"duplicate_probability": 0.2,
              "reordering": {"probability": 0.2, "delay_ms": 40}}})"},
          {"losses that the network repairs",
           R"({"network": {"loss_probability": 0.2, "retransmit": {"timeout_ms": 30}}})"},
          {"losses that clients repair", R"({"network": {"loss_probability": 0.2}, )" + resends + "}"},
          {"crashes", R"({"participation": {"availability": [)" + crashes + R"(]}, )" + resends + "}"},
          {"all of it", R"({"network": {"loss_probability": 0.1, "duplicate_probability": 0.1,
              "reordering": {"probability": 0.2, "delay_ms": 40}}, "participation": {"availability": [)" +
                            crashes + R"(]}, )" + resends + "}"}};
}

const std::map<std::string, std::string> methods_of_limits{
    {"piag", R"({"kind": "piag", "rule": "fixed", "step": 0.05})"},
    {"dave_pg", R"({"kind": "dave_pg"})"},
    {"dave_pg in turn", R"({"kind": "dave_pg", "repetitions": 2, "assignment": "cyclic"})"},
    {"async_admm", R"({"kind": "async_admm", "penalty": 0.1, "least": 1})"},
    {"async_admm with a bound", R"({"kind": "async_admm", "penalty": 0.1, "least": 2, "max_delay": 6})"},
    {"async_blocks", R"({"kind": "async_blocks"})"}};

}  // namespace

TEST_CASE("whatever is late, lost, doubled or forgotten, asynchronous sums belong to what the clients have") {
  for (const auto& [method, algorithm] : methods_of_limits)
    for (const auto& [world, changes] : worlds_of_limits())
      for (const int seed : {1, 2}) {
        CAPTURE(method, world, seed);
        Json document = Json::parse(base_of_limits);
        document["algorithm"] = Json::parse(algorithm);
        document.merge_patch(Json::parse(changes));
        document["seed"] = seed;
        ExperimentCache cache;
        const Experiment experiment =
            assemble(read_scenario({"limits.json", "/nowhere", document}), "limits.json", cache);
        const Outcome outcome = run(experiment);
        REQUIRE(outcome.rows.back().round == 4000);
        // Linear convergence: 4000 updates of four clients are ten times what the slowest of these takes.
        CHECK(*outcome.rows.back().relative_error < 1e-9);
      }
}

}  // namespace lagnet::asynchronous_limits_test
