#include "scenarios/design/steady_rounds.hpp"

#include <catch2/catch.hpp>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/design/peers.hpp"

namespace lagnet::steady_rounds_test {

namespace {

SteadyRounds rounds_of(const std::string& changes) {
  const ScenarioFile file = regional_peers(changes);
  ExperimentCache cache;
  return steady_rounds(read_scenario(file), file.shown, cache);
}

/// How long a run without numbers is.
double run_s(const std::string& changes, Round rounds) {
  const ScenarioFile file = regional_peers(changes);
  Scenario scenario = read_scenario(file);
  scenario.stop.rounds = rounds;
  ExperimentCache cache;
  return run(assemble(scenario, file.shown, cache)).ending.last_report.in_seconds();
}

}  // namespace

TEST_CASE("a round of equal agents takes computation, latency and the time of a message") {
  const SteadyRounds rounds = rounds_of(R"({"network": {"latency_ms": 2, "bandwidth_bytes_per_s": 56000}})");
  CHECK(rounds.period == 1);
  REQUIRE(rounds.agents.size() == 10);
  for (const AgentRound& agent : rounds.agents) {
    CHECK(agent.messages == 2);
    CHECK(agent.message_bytes == 56);  // seven numbers of eight bytes
    CHECK(agent.busy_s > 0);
  }
  CHECK(rounds.cycle_s == Approx(rounds.agents[0].busy_s + 0.002 + 0.001).epsilon(1e-12));
}

TEST_CASE("the cycle time is that of many rounds of a run") {
  for (const char* changes :
       {"{}", R"({"topology": {"kind": "star"}})",
        R"({"topology": {"kind": "path"}, "network": {"up_bytes_per_s": 5000, "down_bytes_per_s": 4000}})",
        R"({"topology": {"kind": "star"}, "network": {"up_bytes_per_s": 5000, "sharing": "fair"}})",
        R"({"algorithm": {"kind": "gradient_tracking", "step": 0.1}})",
        R"({"topology": {"kind": "random_regular", "degree": 3}, "compute": {"speed_flops_per_s":
            {"kind": "uniform", "low": 1e4, "high": 1e5}}})"}) {
    INFO(changes);
    const SteadyRounds rounds = rounds_of(changes);
    REQUIRE(rounds.period > 0);
    const Round later = 4000 + 6 * rounds.period;
    const double taken = run_s(changes, later) - run_s(changes, 4000);
    CHECK(taken / static_cast<double>(later - 4000) ==
          Approx(rounds.cycle_s).epsilon(1e-11));  // moments of 400 s have 14 digits more
  }
}

TEST_CASE("where something is drawn for each message the cycle time is a mean") {
  const std::string jitter = R"({"network": {"jitter_ms": {"kind": "uniform", "low": 0, "high": 1}}})";
  const SteadyRounds rounds = rounds_of(jitter);
  CHECK(rounds.period == 0);
  CHECK(rounds.cycle_s == Approx((run_s(jitter, 8192) - run_s(jitter, 4096)) / 4096).epsilon(1e-12));
}

TEST_CASE("agents that wait for ever have no rounds") {
  CHECK_THROWS_AS(rounds_of(R"({"network": {"loss_probability": 0.5}})"), DesignError);
}

}  // namespace lagnet::steady_rounds_test
