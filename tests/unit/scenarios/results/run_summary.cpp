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

}  // namespace lagnet::run_summary_test
