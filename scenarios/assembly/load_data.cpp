#include "scenarios/assembly/load_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/objectives/losses/softmax.hpp"
#include "scenarios/assembly/memory_estimate.hpp"
#include "scenarios/data/arrays.hpp"
#include "scenarios/data/csv.hpp"
#include "scenarios/data/libsvm.hpp"
#include "scenarios/data/linear_model.hpp"
#include "scenarios/data/storage.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/format/kinds/python_method.hpp"

namespace lagnet {

namespace {

std::string name_of(const std::filesystem::path& path) { return printable(path.filename().string()); }

/// The test file, read as the other one is, with as many features.
DataSet load_test_file(const Scenario& scenario, const DataSource& source, const DataSet& like) {
  const Index features = like.X.cols();
  Diagnostics diagnostics("");
  if (!source.load_other)
    diagnostics.add("/data/test_path", "null, since this source does not read samples with their labels from one file",
                    std::string(scenario.data.kind()));
  diagnostics.throw_if_any();
  DataSet test = load_like(scenario.data, *scenario.data.common().test_path, features,
                           like.learnt ? like.learnt->read_as.get() : nullptr);
  if (test.X.cols() != features)
    diagnostics.add("/data/test_path", std::to_string(features) + " features, as in the training data",
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

/// Softmax has a class for each whole number up to the largest label: of labels 1, 2, 3 or 10, 20, 30 it would have
/// classes without a sample, which its bytes and its optimum count.
void check_classes(const Scenario& scenario, const DataSet& data) {
  const auto* const softmax = scenario.problem.loss.options_as<SoftmaxOptions>();
  if (!softmax || softmax->classes || scenario.data.common().labels != LabelRule::as_is) return;
  const std::set<double> found(data.y.begin(), data.y.end());
  const double largest = found.empty() ? 0 : *found.rbegin();
  const bool are_classes =
      std::ranges::all_of(found, [](double label) { return label >= 0 && std::trunc(label) == label; });
  if (!are_classes || largest + 1 == static_cast<double>(found.size()))
    return;  // what is no class is refused by the loss
  Diagnostics diagnostics("");
  diagnostics.add(
      "/data/labels",
      fmt::format("classes, which numbers the {} labels from 0 for softmax, or problem.loss.classes", found.size()),
      fmt::format("as_is, and labels up to {}: {} classes without a sample", largest,
                  largest + 1 - static_cast<double>(found.size())));
  diagnostics.throw_if_any();
}

/// Samples that stand for agents' variables are no data to be scaled, drawn or left out.
void check_unchanged(const PreprocessOptions& steps) {
  const Json given = write_fields(steps), none = write_fields(PreprocessOptions());
  Diagnostics diagnostics("");
  for (const auto& [key, value] : none.items())
    if (given.at(key) != value)
      diagnostics.add("/data/" + key, fmt::format("{} with coupling constraints", value.dump()), given.at(key).dump());
  diagnostics.throw_if_any();
}

std::string_view name_of(PartitionBy by) {
  if (by == PartitionBy::cells) return "cells";
  return by == PartitionBy::samples ? "samples" : "features";
}

std::string kinds_of(PartitionBy by) {
  std::vector<std::string> kinds;
  for (const auto& entry : PartitionFamily::catalogue().entries())
    if (entry->make(entry->defaults().get()).traits.by == by) kinds.emplace_back(entry->kind);
  return comma_list(kinds);
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
  const ReadFiles reading;
  DataSet data = source.load(scenario.seed, needs_shape_alone(scenario));
  const bool is_made_up = source.file.empty() && !scenario.data.options_as<ArraysOptions>();
  if (!is_made_up && data.X.has_numbers()) check_classes(scenario, data);
  const PreprocessOptions& steps = scenario.data.common();
  if (data.coupling) check_unchanged(steps);
  if (steps.test_path) {
    data.test = std::make_shared<const DataSet>(load_test_file(scenario, source, data));
    data.origin += ", tests in " + name_of(*steps.test_path);
  }
  data = preprocess(std::move(data), steps, scenario.seed);
  data.read = reading.digests();
  for (std::string& name : data.features) name = printable(name);  // tables and figures show them
  // The file's place on this machine is not part of a result.
  const std::string path = source.file.string();
  if (!path.empty() && data.origin.starts_with(path)) data.origin.replace(0, path.size(), name_of(path));
  return data;
}

DataSet load_like(const Choice<DataFamily>& source, const std::filesystem::path& file, Index features,
                  const ReadAs* as) {
  if (const auto* const csv = source.options_as<CsvOptions>()) {
    CsvOptions options = *csv;
    options.path = file;
    return load(options, as);
  }
  if (const auto* const libsvm = source.options_as<LibsvmOptions>()) {
    LibsvmOptions options = *libsvm;
    options.path = file;
    options.features = features;
    return load(options, as);
  }
  return source.make().load_other(file, features);
}

std::optional<TableSurvey> survey_of(const Choice<DataFamily>& source) {
  const auto* const csv = source.options_as<CsvOptions>();
  return csv ? std::optional(survey(*csv)) : std::nullopt;
}

void warn_of_copied_arrays(const Experiment& made, Remarks& warnings) {
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
        {"array_copied",
         {{"bytes", given.bytes()}},
         fmt::format("X, {:.3g} GB, is copied: {}", static_cast<double>(given.bytes()) / 1e9, fmt::join(why, "; "))});
}

bool check_partition(const AlgorithmTraits& traits, const Choice<PartitionFamily>& partition, const Problem& problem,
                     Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.count();
  const MadePartition made = partition.make();
  if (made.traits.by != traits.partition_by)
    diagnostics.add("/partition/kind",
                    fmt::format("a partition of {} ({})", name_of(traits.partition_by), kinds_of(traits.partition_by)),
                    std::string(partition.kind()));
  if (traits.partition_by != PartitionBy::features && problem.samples != problem.X->rows())
    diagnostics.add("/data",
                    fmt::format("data with one row for each sample, for an algorithm that divides the {}",
                                name_of(traits.partition_by)),
                    fmt::format("{} rows that stand for {} samples", problem.X->rows(), problem.samples));
  if (traits.partition_by != PartitionBy::samples && problem.loss->outputs() > 1)
    diagnostics.add(
        "/problem/loss/kind",
        fmt::format("a loss of one score a sample, for an algorithm that divides the {}", name_of(traits.partition_by)),
        std::string(problem.loss->kind()));
  if (traits.partition_by == PartitionBy::features && !problem.regularizer->is_separable())
    diagnostics.add("/problem/regularizer/kind",
                    "a regularizer that is a sum over coefficients, for an algorithm that divides them",
                    "one that is not");
  if (made.traits.needs_labels && !problem.X->has_numbers())
    diagnostics.add("/partition/kind", "a partition that needs no labels, which generated data lack with numerics off",
                    std::string(partition.kind()));
  return diagnostics.count() == before;
}

DataPartition partition_data(const Choice<PartitionFamily>& partition, const AlgorithmTraits& traits,
                             const DataSet& data, Index agents, std::uint64_t seed, Problem& problem,
                             Diagnostics& diagnostics) {
  const PartitionContext context{.features = data.X.cols(),
                                 .labels = VectorView(data.y.data(), data.y.size()),
                                 .holders = traits.agents_with_data(agents),
                                 .seed = seed,
                                 .unlabeled = data.X.has_numbers() ? 0 : data.X.rows(),
                                 .X = &data.X};
  DataPartition made = partition.make().make(context);
  const bool of_samples = traits.partition_by == PartitionBy::samples;
  if (of_samples) {
    std::vector<AgentId> empty;
    for (Index h = 0; h < made.holders(); ++h)
      if (made.size(h) == 0) empty.push_back(static_cast<AgentId>(h + agents - made.holders()));
    if (!empty.empty() && (!traits.takes_empty_shards || made.holders() > data.X.rows()))
      diagnostics.add("/partition", "at least one sample for each agent that holds data",
                      "none for " + first_agents(empty));
  }
  if (made.order.empty()) return made;
  problem.X =
      std::make_shared<const DataMatrix>(of_samples ? selected_rows(data.X, made.order) : data.X.columns(made.order));
  if (of_samples && data.X.has_numbers()) problem.y = data.y(made.order);
  return made;
}

std::vector<Index> starts_by_agent(const DataPartition& partition, const AlgorithmTraits& traits) {
  std::vector<Index> starts = partition.starts;
  if (traits.partition_by == PartitionBy::cells) return starts;
  static_assert(server_agent == 0);
  if (traits.server) starts.insert(starts.begin(), static_cast<std::size_t>(1 + traits.edges), 0);
  return starts;
}

}  // namespace lagnet
