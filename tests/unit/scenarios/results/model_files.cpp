#include "scenarios/results/model_files.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/results/recorded_folder.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"

namespace lagnet::model_files_test {

namespace {

/// The files of a run in a folder of the test.
void run_into(const TestFolder& place, const std::string& changes) {
  const Experiment experiment = assembled(changes);
  for (const auto& [name, content] : written_files(experiment, run(experiment))) place.write(name, content);
}

std::string refusal_of(const TestFolder& place) {
  return refusal(place, [&] { read_model(place.path()); });
}

}  // namespace

TEST_CASE("a model is read as it was written, with the names of the features") {
  const TestFolder place;
  place.write("a.csv", "size,\"rooms, all\",price\n1,2,3\n2,5,4\n4,3,9\n1,1,2\n");
  const std::string changes = R"({"data": {"source": "csv", "path": ")" + (place.path() / "a.csv").string() +
                              R"(", "samples": null, "features": null, "scaling": "standardize", "center_labels": true},
       "topology": {"agents": 2}})";
  Json patch = Json::parse(changes);
  const Experiment experiment = assembled(patch.dump());
  const Outcome outcome = run(experiment);
  for (const auto& [name, content] : written_files(experiment, outcome)) place.write(name, content);
  const LinearModel model = read_model(place.path());
  CHECK(model.features == std::vector<std::string>{"size", "rooms, all"});
  const LinearModel expected = model_of(outcome.iterate, 1, *experiment.data->learnt, {});
  CHECK(model.W == expected.W);
  CHECK(model.intercept == expected.intercept);
  CHECK(model.label_mean == 4.5);
}

TEST_CASE("the iterates of every n-th round are a matrix in NumPy's format, whose last row is the model") {
  const TestFolder place;
  run_into(place, R"({"record": {"every": 2, "model_every": 4}})");
  const Json facts = Json::parse(read_file(place.path() / "summary.json"))["model"];
  CHECK(facts["history"]["rounds"] == Json({0, 4, 8, 12}));
  const std::string npy = read_file(place.path() / "model_history.npy");
  const std::size_t header = npy.find('\n') + 1;
  CHECK(npy.substr(0, 6) == "\x93NUMPY");
  CHECK(header % 64 == 0);
  CHECK(npy.find("'shape': (4, 7)") != std::string::npos);
  REQUIRE(npy.size() == header + 4 * 7 * sizeof(double));
  Vector numbers(4 * 7);
  std::memcpy(numbers.data(), npy.data() + header, 4 * 7 * sizeof(double));
  CHECK(numbers.head(7) == Vector(Vector::Zero(7)));
  CHECK(numbers.tail(7) == read_model(place.path()).W.col(0));
}

TEST_CASE("a matrix of one score a sample is written for NumPy, and read again") {
  const TestFolder place;
  run_into(place, R"({"data": {"source": "matrix_completion", "size": 6, "observations": 60, "rank": 1,
                               "samples": null, "features": null},
                      "problem": {"regularizer": {"kind": "none", "weight": null},
                                  "constraint": {"kind": "nuclear_ball_and_box",
                                  "radius": 5, "bound": 1}},
                      "algorithm": {"kind": "accel_tracking"}})");
  CHECK_FALSE(std::filesystem::exists(place.path() / "model.csv"));
  const LinearModel model = read_model(place.path());
  CHECK(model.W.rows() == 36);
  CHECK(model.W.norm() > 0);
  place.write("model.npy", "short");
  CHECK(refusal_of(place) == "model.npy: expected 36 numbers in NumPy's format, found something else");
}

TEST_CASE("a run without a model gives the reason, and damaged files are reported") {
  const TestFolder place;
  run_into(place,
           R"({"numerics": "off", "algorithm": {"kind": "dgd", "step": 0.1},
          "problem": {"regularizer": {"kind": "none", "weight": null}}})");
  CHECK(refusal_of(place) == "summary.json: expected a run with a model, found none: numerics are off");
  run_into(place, "{}");
  const std::string table = read_file(place.path() / "model.csv");
  place.write("model.csv", table.substr(0, table.find_last_of('\n', table.size() - 2) + 1) + "7,x\n");
  CHECK(refusal_of(place) == R"(model.csv:8: expected a number, found "x")");
  place.write("summary.json", "{}");
  CHECK(refusal_of(place) ==
        "summary.json: expected the summary of a run with a model, found no model: repeat results of an earlier lagnet "
        "with `lagnet run`");
}

}  // namespace lagnet::model_files_test
