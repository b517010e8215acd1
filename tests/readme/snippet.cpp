#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "checkout_paths.hpp"
#include "readme_algorithm.hpp"
#include "scenarios/assembly/assemble.hpp"
#include "scenarios/json/choice.hpp"
#include "scenarios/sweep/execute.hpp"
#include "sim/engine/simulation.hpp"

namespace lagnet::snippet_test {

TEST_CASE("the algorithm of the algorithms' page compiles, registers and solves least squares") {
  const Catalogue<std::unique_ptr<Algorithm>, MethodInput> catalogue(entry<FeatureGradientOptions>(
      [](const FeatureGradientOptions& options, MethodInput given) -> std::unique_ptr<Algorithm> {
        return std::make_unique<FeatureGradient>(options, std::move(given));
      }));
  const Matrix X{{1, 0, 0}, {0, 2, 0}, {0, 0, 1}, {1, 1, 1}};
  const Vector y{{1, 2, 3, 4}};
  const Problem problem{.X = std::make_shared<const DataMatrix>(X),
                        .y = y,
                        .samples = 4,
                        .loss = make_loss(SquaredOptions{}),
                        .regularizer = make_regularizer(NoneOptions{})};
  // The largest eigenvalue of X'X/4 is below 6/4 and the smallest above 1/4, so each step of 0.5 shrinks the distance
  // to the optimum by at least 1 - 0.5/4, and 300 of them by more than 1e-17.
  const FeatureGradientOptions options{.step = 0.5};
  const auto algorithm =
      catalogue.find("feature_gradient")
          ->make(
              &options,
              MethodInput{.problem = problem, .feature_starts = {0, 1, 2, 3}, .network = {.agents = 3}, .rounds = 300});
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < 3; ++a)
    for (AgentId b = 0; b < 3; ++b)
      if (a != b) links.push_back({a, b, Duration::milliseconds(1)});
  Simulation world(Network(3, links), ComputeModel({1e9, 1e9, 1e9}), {});
  struct Last final : Recorder {
    std::vector<std::vector<Vector>> parts{3};
    void reported(AgentId agent, Round, std::span<const VectorView> views) override {
      parts[agent].assign(views.begin(), views.end());
    }
  } last;
  world.record(last);
  algorithm->spawn(world);
  world.run();
  const Evaluation value = algorithm->evaluate(300, last.parts, {});
  CHECK(value.objective == Approx(solve_centrally(problem).value).epsilon(1e-12));
}

namespace {

std::string page(const std::string& name) {
  std::ifstream file(LAGNET_SOURCE_DIR "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("the scenario of the scenarios' page is valid where it says its data are") {
  const std::string text = page("scenarios/README.md");
  const auto begin = text.find("    {\n      \"lagnet\": 1"), end = text.find("\n    }\n", begin);
  REQUIRE(begin != std::string::npos);
  const Json document = Json::parse(text.substr(begin, end + 7 - begin));
  const Plan plan(ScenarioFile{"scenarios/README.md", LAGNET_SOURCE_DIR "/scenarios", document});
  CHECK(plan.points.size() == 9);
}

TEST_CASE("the README shows what the quick start prints") {
  const Plan plan(read_scenario_file(LAGNET_SOURCE_DIR "/scenarios/examples/quickstart.json"));
  ExperimentCache cache;
  const Outcome outcome = run(assemble(plan.scenarios[0], plan.file.shown, cache));
  CHECK_THAT(page("README.md"), Catch::Contains("trace " + outcome.trace_hash));
  // The figures shown have four digits, and the run is the same on every machine to many more.
  CHECK_THAT(page("README.md"),
             Catch::Contains(fmt::format("relative error {:.3e}", outcome.rows.back().relative_error.value())));
}

}  // namespace lagnet::snippet_test
