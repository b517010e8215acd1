#include "scenarios/tune/tuned_steps.hpp"

#include <catch2/catch.hpp>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::tuned_steps_test {

namespace {

/// EXTRA on the small scenario, and on a star in a second point.
ScenarioFile compared(const char* step) {
  ScenarioFile file = small_scenario(R"({"stop": {"rounds": 40}})");
  file.document["problem"]["regularizer"] = {{"kind", "l2"}, {"weight", 0.1}};
  file.document["algorithm"] = {{"kind", "extra"}, {"step", Json::parse(step)}};
  file.document["sweep"] = {{"/topology/kind", {"ring", "star"}}};
  return file;
}

double theory_of(const ScenarioFile& file) {
  ExperimentCache cache;
  return assemble(read_scenario(sweep_points(file).front().file), "small.json", cache)
      .algorithm->constants()
      .front()
      .second;
}

}  // namespace

TEST_CASE("only an algorithm's option that is to be tuned asks for it, there or in a sweep") {
  CHECK_FALSE(asks_for_tuning(compared("0.1")));
  CHECK_FALSE(asks_for_tuning(compared(R"("theory")")));
  CHECK(asks_for_tuning(compared(R"("tune")")));
  ScenarioFile swept = compared("0.1");
  swept.document["sweep"] = Json::parse(R"({"/algorithm": [{"kind": "nids", "step": "tune"}]})");
  CHECK(asks_for_tuning(swept));
  CHECK(with_theory(swept).document["sweep"]["/algorithm"][0]["step"].is_null());
  swept.document["sweep"] = Json::parse(R"({"points": [{"/algorithm/step": "tune", "/seed": 1}]})");
  CHECK(asks_for_tuning(swept));
  ScenarioFile named = compared("0.1");
  named.document["name"] = "tune";
  CHECK_FALSE(asks_for_tuning(named));
}

TEST_CASE("each contestant of a comparison is tuned with the same budget around theory's value") {
  const TestFolder place;
  const ScenarioFile file = compared(R"("tune")");
  const TunedScenario tuned = tuned_steps(file, place.path() / "r", {});
  REQUIRE(tuned.found.size() == 2);
  const std::vector<SweepPoint> points = sweep_points(tuned.file);
  REQUIRE(points.size() == 2);
  const double theory = theory_of(with_theory(file));
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& algorithm = points[i].file.document["algorithm"];
    CHECK(points[i].file.document["topology"]["kind"] == (i == 0 ? "ring" : "star"));
    const Json facts = Json::parse(read_file(place.path() / "r-tuning" / ("00" + std::to_string(i)) / "tune.json"));
    CHECK(facts["candidates"] == tuning_budget);
    CHECK(algorithm["step"] == facts["chosen"]["values"]["/algorithm/step"]);
    if (i > 0) continue;  // theory's value is another there
    CHECK(algorithm["step"].get<double>() >= theory / 32);
    CHECK(algorithm["step"].get<double>() <= theory * 32);
  }
}

}  // namespace lagnet::tuned_steps_test
