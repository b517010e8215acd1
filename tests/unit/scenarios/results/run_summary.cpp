#include "scenarios/results/run_summary.hpp"

#include <catch2/catch.hpp>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::run_summary_test {

TEST_CASE("a diverged run's summary has null where a number is not finite") {
  const Experiment experiment =
      assembled(R"({"algorithm": {"sigma": 1e8, "tau": 1e8}, "stop": {"rounds": 10000, "divergence_factor": 1e305}})");
  const Json facts = summary(experiment, run(experiment));
  CHECK(facts["status"] == "diverged");
  CHECK(facts["last_row"]["objective"].is_null());
}

TEST_CASE("warnings of a summary are read back, and those that earlier versions wrote as texts have no code") {
  const Experiment experiment = assembled(R"({"algorithm": {"sigma": 100, "tau": 100}, "stop": {"rounds": 2}})");
  const Json facts = summary(experiment, run(experiment));
  const Remarks warnings = warnings_in(facts);
  REQUIRE_FALSE(warnings.empty());
  CHECK(warnings.front() == experiment.warnings.front());
  CHECK(warnings.front().code == "steps_too_long");
  CHECK(as_json(warnings) == facts["warnings"]);
  CHECK(warnings_in({{"warnings", {"it may level off"}}}) == Remarks{{"", {}, "it may level off"}});
  CHECK(warnings_in(Json::object()).empty());
}

}  // namespace lagnet::run_summary_test
