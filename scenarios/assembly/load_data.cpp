#include "scenarios/assembly/load_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/assembly/memory_estimate.hpp"
#include "scenarios/data/arrays.hpp"
#include "scenarios/format/kinds/python_method.hpp"

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

/// Where its numbers begin.
const double* numbers_of(const DataMatrix& X) {
  if (const auto rows = X.as_sparse_rows()) return rows->valuePtr();
  if (const auto sparse = X.as_sparse()) return sparse->valuePtr();
  return X.as_dense()->data();
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

void warn_of_copied_arrays(const Experiment& made, std::vector<std::string>& warnings) {
  constexpr Bytes little = Bytes{64} << 20;
  const auto* const options = made.scenario.data.options_as<ArraysOptions>();
  if (!options || !made.data->X.has_numbers() || made.data->X.bytes() <= little) return;
  const DataMatrix given = load(*options).X;
  const bool by_rows = given.as_sparse_rows().has_value();
  const bool of_features = made.traits.partition_by == PartitionBy::features;
  std::vector<std::string_view> why;
  if (numbers_of(made.data->X) != numbers_of(given)) why.push_back("steps of the section data change it");
  if (made.problem.X.get() != &made.data->X) why.push_back("the partition puts it in another order");
  // Agents in Python look at rows of the array itself.
  if (!of_features && !by_rows && made.scenario.algorithm.kind() != PythonOptions::kind)
    why.push_back("agents hold samples row by row");
  if (of_features && by_rows) why.push_back("agents hold columns, and it is given by rows");
  if (!why.empty())
    warnings.push_back(
        fmt::format("X, {:.3g} GB, is copied: {}", static_cast<double>(given.bytes()) / 1e9, fmt::join(why, "; ")));
}

}  // namespace lagnet
