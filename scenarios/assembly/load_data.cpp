#include "scenarios/assembly/load_data.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "scenarios/assembly/memory_estimate.hpp"

namespace lagnet {

namespace {

std::string name_of(const std::filesystem::path& path) { return path.filename().string(); }

/// The test file, read as the other one is, with as many features.
DataSet load_test_file(const Scenario& scenario, const DataSource& source, Index features) {
  Diagnostics diagnostics("");
  if (!source.load_other)
    diagnostics.add("/data/test_path", "null, since this source does not read samples with their labels from one file",
                    std::string(scenario.data.kind()));
  diagnostics.throw_if_any();
  DataSet test = source.load_other(*scenario.data.common().test_path, features);
  if (test.X.cols() != features)
    diagnostics.add("/data/test_path", std::to_string(features) + " features, as many as beside the tests",
                    std::to_string(test.X.cols()));
  diagnostics.throw_if_any();
  return test;
}

}  // namespace

bool needs_shape_alone(const Scenario& scenario) {
  if (!scenario.timing_only() || scenario.algorithm.make().traits.partition_by == PartitionBy::cells) return false;
  return !scenario.data.make().shape.entries;  // what sparse rows cost depends on where their entries are
}

DataSet load_data(const Scenario& scenario) {
  Diagnostics too_large("");
  check_data_memory(scenario, too_large);
  too_large.throw_if_any();
  const DataSource source = scenario.data.make();
  DataSet data = source.load(scenario.seed, needs_shape_alone(scenario));
  const PreprocessOptions& steps = scenario.data.common();
  if (steps.test_path) {
    data.test = std::make_shared<const DataSet>(load_test_file(scenario, source, data.X.cols()));
    data.origin += ", tests in " + name_of(*steps.test_path);
  }
  data = preprocess(std::move(data), steps, scenario.seed);
  // Where the file stands on this machine is no part of a result.
  const std::string path = source.file.string();
  if (!path.empty() && data.origin.starts_with(path)) data.origin.replace(0, path.size(), name_of(path));
  return data;
}

}  // namespace lagnet
