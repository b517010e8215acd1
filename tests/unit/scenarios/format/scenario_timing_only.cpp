#include <catch2/catch.hpp>
#include <set>

#include "scenarios/data/generators/data_shape.hpp"
#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/generators/rotated.hpp"
#include "scenarios/data/preprocess.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::scenario_timing_only_test {

namespace {

/// The small scenario without numbers.
ScenarioFile timing(const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({"numerics": "off"})");
  file.document.merge_patch(Json::parse(changes));
  return file;
}

std::string problems_with(const std::string& changes) {
  return scenario_problems([&] { assembled(timing(changes)); });
}

const std::string federated = R"("topology": {"kind": "star"}, "algorithm": {"kind": "fed_avg", "client_step": 0.1})";

/// A matrix of that many rows and columns takes 8 PB.
const std::string huge = R"("data": {"samples": 1000000000, "features": 1000000})";

}  // namespace

TEST_CASE("without numbers all options that need them are refused at once") {
  CHECK(problems_with(R"({"stop": {"relative_error": 0.5}, "network": {"index_bytes": 4}})") ==
        "small.json: /stop/relative_error: expected numerics to be on, which it needs, found 0.5\n"
        "small.json: /network/index_bytes: expected null with numerics off: which numbers are zero is not known, found "
        "4");
  CHECK(problems_with(R"({"stop": {"relative_error": 0.5}, "record": {"optimum": false}})") ==
        "small.json: /stop/relative_error: expected numerics to be on, which it needs, found 0.5");
  CHECK(problems_with(R"({"numerics": "of"})") ==
        R"(small.json: /numerics: expected one of on, off, found "of"; did you mean off?)");
}

TEST_CASE("generated data without numbers have no labels to be divided by") {
  const std::string shares = R"(", "concentration": 1}})";
  for (const std::string kind : {"by_label", "dirichlet"})
    CHECK(problems_with("{" + federated + R"(, "partition": {"kind": ")" + kind +
                        (kind == "dirichlet" ? shares : R"("}})")) ==
          "small.json: /partition/kind: expected a partition that needs no labels, which generated data lack with "
          "numerics off, found " +
              kind);
  CHECK_NOTHROW(assembled(timing("{" + federated + R"(, "partition": {"kind": "quantity_skew)" + shares)));
}

TEST_CASE("generated data are not made without numbers, and nothing central is computed") {
  const Experiment peers = assembled(timing("{" + huge + "}"));
  CHECK(peers.data->X.rows() == 1'000'000'000);
  CHECK(peers.data->X.cols() == 1'000'000);
  CHECK_FALSE(peers.data->X.has_numbers());
  CHECK(peers.data->y.size() == 0);
  CHECK_FALSE(peers.optimum);
  CHECK(peers.algorithm->constants().empty());
  CHECK(peers.warnings.empty());
  const Outcome outcome = run(peers);
  CHECK(outcome.stop == StopReason::rounds);
  CHECK(outcome.ledger.total().bytes_sent == 12LL * 2 * 5 * 2 * 8 * 1'000'000'000);  // 12 rounds, 2 exchanges, a ring
  const Experiment clients = assembled(timing("{" + huge + ", " + federated + "}"));
  CHECK(clients.partition.starts == std::vector<Index>{0, 250'000'000, 500'000'000, 750'000'000, 1'000'000'000});
  CHECK(run(clients).stop == StopReason::rounds);
}

TEST_CASE("sparse rows cost the same with and without numbers") {
  const std::string sparse = R"({"data": {"source": "sparse_classification", "samples": 20, "features": 12,
      "nonzeros_per_sample": 2, "noise": 0}, "problem": {"loss": {"kind": "logistic"}}, )" +
                             federated;
  const auto flops = [&](const std::string& numerics) {
    return run(assembled(small_scenario(sparse + R"(, "numerics": ")" + numerics + "\"}"))).ledger.total().flops;
  };
  CHECK(flops("off") == flops("on"));
  CHECK(flops("off") < 12 * 4 * 20 * 12);  // the products of dense rows alone, in twelve rounds
}

TEST_CASE("the shape of generated data is that of the data, after any preprocessing") {
  const auto same_shape = [](const auto& options, const PreprocessOptions& steps) {
    const DataSet data = preprocess(load(options, 1), steps, 1);
    const DataSet shape = preprocess(without_numbers(options.kind, options.shape()), steps, 1);
    CHECK(shape.X.rows() == data.X.rows());
    CHECK(shape.X.cols() == data.X.cols());
    CHECK(shape.X.nonzeros() == data.X.nonzeros());
    CHECK(shape.samples == data.samples);
  };
  PreprocessOptions many;
  many.max_samples = 7;
  many.choose_samples = RowChoice::random;
  many.intercept = true;
  many.scaling = Scaling::standardize;
  for (const PreprocessOptions& steps : {PreprocessOptions(), many}) {
    same_shape(GaussianRegressionOptions{.samples = 9, .features = 3}, steps);
    same_shape(GaussianClassificationOptions{.samples = 5, .features = 3}, steps);
  }
  same_shape(RotatedRegressionOptions{.samples = 90, .features = 3}, {});
  const DataShape rotated = RotatedRegressionOptions{.samples = 90, .features = 3}.shape();
  CHECK_THROWS_AS(preprocess(without_numbers(RotatedRegressionOptions::kind, rotated), many, 1), Diagnosed);
}

TEST_CASE("uncomputed cells are empty in a run without numbers, and the summary says why") {
  const Experiment experiment = assembled(timing());
  const Outcome outcome = run(experiment);
  const auto columns = progress_columns(experiment);
  for (const Row& row : outcome.rows) {
    const auto values = progress_cells(row);
    REQUIRE(values.size() == columns.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      CAPTURE(columns[k]);
      const bool is_staleness = columns[k].starts_with("staleness_");  // of updates, where there are rounds
      const bool is_cost = std::set<std::string>{"price", "joules", "grams"}.contains(columns[k]);  // of sites
      const bool is_value = k >= 2 && k < 8;  // objective, relative_error, and three metrics
      CHECK(values[k].empty() == (is_value || is_staleness || is_cost));
    }
  }
  const Json facts = summary(experiment, outcome);
  CHECK(facts["numerics"] == "off");
  CHECK(facts["why_empty"] == "numerics are off: objective, relative_error and the algorithm's own columns are empty");
  CHECK(facts["objective_start"].is_null());
  CHECK(facts["optimum"]["why"] == "numerics are off: there is no objective");
  CHECK(facts["topology"]["laplacian_max"].is_number());
  const Experiment with = assembled(small_scenario());
  CHECK_FALSE(summary(with, run(with)).contains("numerics"));
}

TEST_CASE("unneeded eigenvalues of a fleet are left out, and the summary says so") {
  const std::string fleet = R"({"data": {"features": 10001}, "topology": {"agents": 10001}, "stop": {"rounds": 1}})";
  const Experiment experiment = assembled(timing(fleet));
  CHECK_FALSE(experiment.has_eigenvalues);
  const Json facts = summary(experiment, run(experiment))["topology"];
  CHECK(facts["laplacian_max"].is_null());
  CHECK(facts["algebraic_connectivity"].is_null());
  CHECK(facts["why"] == "no eigenvalues: more than 10000 agents, of which none needs them");
}

}  // namespace lagnet::scenario_timing_only_test
