#include "scenarios/estimate/count_work.hpp"

#include <catch2/catch.hpp>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::count_work_test {

namespace {

constexpr std::int64_t enough = 1'000'000, few = 600;

Scenario small(const std::string& changes) { return read_scenario(small_scenario(changes)); }

std::optional<WorkCount> counted(const Scenario& scenario, std::int64_t steps) {
  ExperimentCache cache;
  return count_work(scenario, "small.json", cache, steps);
}

Outcome outcome_of(const Scenario& scenario) {
  ExperimentCache cache;
  return run(assemble(scenario, "small.json", cache));
}

}  // namespace

TEST_CASE("counts are those of the run with numbers, run to the end or scaled from its first rounds") {
  for (const char* changes :
       {R"({"stop": {"rounds": 60}})",
        R"({"stop": {"rounds": 61}, "topology": {"kind": "random_regular", "agents": 8, "degree": 3},
            "problem": {"regularizer": {"kind": "none", "weight": null}},
            "algorithm": {"kind": "gradient_tracking", "step": 0.01}})",
        R"({"stop": {"rounds": 60}, "network": {"bandwidth_bytes_per_s": 1e6, "jitter_ms": 1, "header_bytes": 40},
            "topology": {"kind": "star"}, "problem": {"regularizer": {"kind": "none", "weight": null}},
            "algorithm": {"kind": "fed_avg", "local_steps": 3, "client_step": 0.01}})"}) {
    INFO(changes);
    const Scenario scenario = small(changes);
    const Outcome outcome = outcome_of(scenario);
    const AgentAccount total = outcome.ledger.total();
    for (const std::int64_t steps : {enough, few}) {
      const auto work = counted(scenario, steps);
      REQUIRE(work);
      CHECK(work->is_whole == (steps == enough));
      CHECK((work->counted == scenario.stop.rounds) == work->is_whole);
      CHECK(work->rounds == scenario.stop.rounds);
      CHECK(work->messages == static_cast<double>(total.messages_sent));
      CHECK(work->bytes == static_cast<double>(total.bytes_sent));
      CHECK(work->flops == static_cast<double>(total.flops));
      CHECK(work->events == static_cast<double>(outcome.trace_events));
    }
  }
}

TEST_CASE("events that depend on numbers are counted with them") {
  const Scenario scenario = small(R"({"network": {"index_bytes": 4}, "stop": {"rounds": 20}})");
  CHECK(without_numbers(scenario).numerics == Numerics::on);
  const Outcome outcome = outcome_of(scenario);
  const auto work = counted(scenario, enough);
  REQUIRE(work);
  CHECK(work->is_whole);
  CHECK(work->bytes == static_cast<double>(outcome.ledger.total().bytes_sent));
}

TEST_CASE("other limits end it where they end the run, or soon after") {
  for (const char* stop : {R"({"simulated_s": 0.3})", R"({"bytes": 90000})", R"({"flops": 90000})",
                           R"({"flops_per_agent": 20000})", R"({"rounds": 1000000, "simulated_s": 0.3})"}) {
    INFO(stop);
    Json changes{{"stop", {{"rounds", nullptr}}}};
    changes["stop"].update(Json::parse(stop));
    const Scenario scenario = small(changes.dump());
    const Round last = outcome_of(scenario).rows.back().round;
    CHECK(counted(scenario, enough)->rounds == last);
    const auto scaled = counted(scenario, few);
    CHECK_FALSE(scaled->is_whole);
    CHECK(*scaled->rounds >= last);
    CHECK(*scaled->rounds <= last + 2);  // the next one is begun before the last one is complete
  }
}

TEST_CASE("a tolerance bounds no rounds: without another limit their number is unknown") {
  const auto work = counted(small(R"({"stop": {"rounds": null, "relative_error": 0.5}})"), few);
  REQUIRE(work);
  CHECK_FALSE(work->rounds);
  CHECK(work->counted > 1);
  CHECK(counted(small(R"({"stop": {"rounds": 40, "relative_error": 0.5}})"), enough)->rounds == 40);
}

TEST_CASE("a round with more steps than are allowed is not counted") { CHECK_FALSE(counted(small("{}"), 10)); }

}  // namespace lagnet::count_work_test
