#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "scenarios/run/run.hpp"
#include "tests/property/registered/story.hpp"
#include "tests/property/registered/troubled_worlds.hpp"

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

const std::map<std::string, std::string> methods_of_limits{
    {"piag", R"({"kind": "piag", "rule": "fixed", "step": 0.05})"},
    {"dave_pg", R"({"kind": "dave_pg"})"},
    {"dave_pg in turn", R"({"kind": "dave_pg", "repetitions": 2, "assignment": "cyclic"})"},
    {"async_admm", R"({"kind": "async_admm", "penalty": 0.1, "least": 1})"},
    {"async_admm with a bound", R"({"kind": "async_admm", "penalty": 0.1, "least": 2, "max_delay": 6})"},
    {"async_blocks", R"({"kind": "async_blocks"})"}};

}  // namespace

TEST_CASE("asynchronous sums match the clients' state under delays, losses, duplicates and crashes") {
  for (const auto& [method, algorithm] : methods_of_limits)
    for (const auto& [world, changes] : test::worlds_of_servers())
      for (const int seed : {1, 2}) {
        CAPTURE(method, world, seed);
        const Outcome outcome = run(test::experiment_of(base_of_limits, algorithm, changes, seed));
        REQUIRE(outcome.rows.back().round == 4000);
        // Linear convergence: 4000 updates of four clients are ten times what the slowest of these takes.
        CHECK(*outcome.rows.back().relative_error < 1e-9);
      }
}

namespace {

const char* const base_of_peers = R"({
  "lagnet": 1,
  "data": {"source": "gaussian_regression", "samples": 60, "features": 7},
  "problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l2", "weight": 0.1}},
  "topology": {"kind": "ring", "agents": 6},
  "network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 9}, "jitter_ms": 3},
  "compute": {"update_ms": [5, 7, 6, 20, 5, 9]},
  "stop": {"simulated_s": 20}, "record": {"every_s": 20}
})";

struct MethodOfPeers {
  std::string algorithm;
  bool forgives_crashes;  // that lose what an agent knows
};

const std::map<std::string, MethodOfPeers> methods_of_peers{
    {"asy_sonata", {R"({"kind": "asy_sonata", "step": 0.4})", false}},
    {"edge_admm", {R"({"kind": "edge_admm", "penalty": 0.3})", true}},
    {"edge_admm with a threshold",
     {R"({"kind": "edge_admm", "penalty": 0.3, "threshold": {"value": 1, "factor": 0.9}})", true}},
    {"fd_edge_admm", {R"({"kind": "fd_edge_admm", "penalty": 30})", true}}};

}  // namespace

TEST_CASE("asynchronous peers reach the common minimizer under delays, losses, duplicates, absences and crashes") {
  auto worlds = test::worlds_of_peers();
  worlds["crashes"] = "{" + test::availability_of(test::crashes_of_agents) + "}";
  for (const auto& [name, method] : methods_of_peers)
    for (const auto& [world, changes] : worlds)
      for (const int seed : {1, 2}) {
        CAPTURE(name, world, seed);
        if (world == "crashes" && !method.forgives_crashes) continue;
        const Outcome outcome = run(test::experiment_of(base_of_peers, method.algorithm, changes, seed));
        REQUIRE(outcome.stop == StopReason::simulated_s);
        // Linear convergence: the slowest agent makes a thousand updates, of which some hundred do.
        CHECK(*outcome.rows.back().relative_error < 1e-9);
        const auto ages = outcome.ledger.staleness();
        REQUIRE_FALSE(ages.empty());
        CHECK(ages.begin()->first >= 0);
      }
}

}  // namespace lagnet::asynchronous_limits_test
