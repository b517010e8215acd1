#include "scenarios/results/prediction.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/results/recorded_folder.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"

namespace lagnet::prediction_test {

namespace {

constexpr const char* train = "2 1:1 2:5\n1 1:-2 2:4\n2 1:3 2:6\n1 1:-1 2:1\n2 1:0.5 2:2\n1 1:0.1 2:9\n";
constexpr const char* test = "2 1:2 2:1\n1 1:-1 2:3\n1 1:1 2:2\n";

/// Runs with these files and changes, into the same folder; the last row's metrics by name.
Json run_on(const TestFolder& place, const std::string& changes) {
  place.write("train.txt", train);
  place.write("test.txt", test);
  Json scenario = Json::parse(R"({"data": {"source": "libsvm", "path": "train.txt", "test_path": "test.txt",
      "samples": null, "features": null}, "topology": {"agents": 2}})");
  scenario.merge_patch(Json::parse(changes));
  for (const char* key : {"path", "test_path"})
    scenario["data"][key] = (place.path() / scenario["data"][key].get<std::string>()).string();
  const Experiment experiment = assembled(scenario.dump());
  for (const auto& [name, content] : written_files(experiment, run(experiment))) place.write(name, content);
  return Json::parse(read_file(place.path() / "summary.json"))["last_row"];
}

}  // namespace

TEST_CASE("predictions on a run's test file have the loss and the accuracy that the run recorded") {
  const TestFolder place;
  const Json row = run_on(place, R"({"data": {"labels": "sign", "scaling": "standardize", "intercept": true},
      "problem": {"loss": {"kind": "logistic"}, "regularizer": {"kind": "l2", "weight": 0.1}},
      "record": {"metrics": ["test_loss", "test_accuracy"]}})");
  const Prediction found = predict(place.path(), place.path() / "test.txt");
  CHECK(found.loss == Approx(row["test_loss"].get<double>()).epsilon(1e-13));
  CHECK(*found.accuracy == row["test_accuracy"].get<double>());
  CHECK_FALSE(found.mean_squared_residual);
  CHECK(found.labels == Vector{{2, 1, 1}});
  for (const double label : found.predicted) CHECK((label == 1 || label == 2));  // labels as the file has them
  CHECK(prediction_table(found).starts_with("sample,label,predicted,score\n1,2,"));
}

TEST_CASE("predictions of scaled labels are in the units of the labels as they come") {
  const TestFolder place;
  const Json row = run_on(place, R"({"data": {"standardize_labels": true, "scaling": "unit_rows"},
      "record": {"metrics": ["test_loss", "test_mean_squared_residual"]}})");
  const Prediction found = predict(place.path(), place.path() / "test.txt");
  CHECK(found.loss == Approx(row["test_loss"].get<double>()).epsilon(1e-13));
  const double variance = 0.25;  // of three labels 1 and three labels 2
  CHECK(*found.mean_squared_residual ==
        Approx(variance * row["test_mean_squared_residual"].get<double>()).epsilon(1e-13));
  CHECK_FALSE(found.accuracy);
}

TEST_CASE("classes are predicted by their labels, with a score for each") {
  const TestFolder place;
  const Json row = run_on(place, R"({"data": {"labels": "classes"}, "topology": {"kind": "star", "agents": 3},
      "problem": {"loss": {"kind": "softmax"}, "regularizer": {"kind": "l2", "weight": 0.01}},
      "algorithm": {"kind": "fed_avg", "local_steps": 1}, "record": {"metrics": ["test_loss", "test_accuracy"]}})");
  const Prediction found = predict(place.path(), place.path() / "test.txt");
  CHECK(found.loss == Approx(row["test_loss"].get<double>()).epsilon(1e-13));
  CHECK(*found.accuracy == row["test_accuracy"].get<double>());
  CHECK(found.scores.size() == 6);
  CHECK(prediction_table(found).starts_with("sample,label,predicted,score_0,score_1\n"));
}

TEST_CASE("samples that do not fit the model are refused") {
  const TestFolder place;
  run_on(place,
         R"({"data": {"labels": "sign"}, "problem": {"loss": {"kind": "logistic"},
          "regularizer": {"kind": "l2", "weight": 0.01}}})");
  place.write("other.txt", "2 1:2 3:1\n");
  CHECK_THROWS_AS(predict(place.path(), place.path() / "other.txt"), Diagnosed);
  place.write("other.txt", "3 1:2\n");
  CHECK_THROWS_AS(predict(place.path(), place.path() / "other.txt"), Diagnosed);
}

}  // namespace lagnet::prediction_test
