#include "scenarios/assembly/load_data.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace lagnet {

namespace {

std::string name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

/// The test file, read as the other one is, with as many features.
DataSet load_test_file(const Scenario& scenario, const std::string& path, Index features) {
  Problems problems("");
  Json source = scenario.data.write();
  if (!source.contains("path") || source.contains("labels_path")) {
    problems.add("/data/test_path", "null, since this source does not read samples with their labels from one file",
                 std::string(scenario.data.kind()));
    problems.throw_if_any();
  }
  source["path"] = path;
  if (source.contains("features")) source["features"] = features;
  Choice<DataFamily> same;
  same.read(source, "/data", problems);
  problems.throw_if_any();
  DataSet test = same.make(std::filesystem::path(), scenario.seed, scenario.timing_only());
  if (test.X.cols() != features)
    problems.add("/data/test_path", std::to_string(features) + " features, as many as beside the tests",
                 std::to_string(test.X.cols()));
  problems.throw_if_any();
  return test;
}

}  // namespace

DataSet load_data(const Scenario& scenario) {
  DataSet data = scenario.data.make(std::filesystem::path(), scenario.seed, scenario.timing_only());
  const PreprocessOptions& steps = scenario.data.common();
  if (steps.test_path) {
    data.test = std::make_shared<const DataSet>(load_test_file(scenario, *steps.test_path, data.X.cols()));
    data.origin += ", tests in " + name_of(*steps.test_path);
  }
  data = preprocess(std::move(data), steps, scenario.seed);
  // Where the file stands on this machine is no part of a result.
  const std::string path = scenario.data.write().value("path", "");
  if (!path.empty() && data.origin.starts_with(path)) data.origin.replace(0, path.size(), name_of(path));
  return data;
}

}  // namespace lagnet
