#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/problem/problem.hpp"
#include "scenarios/assembly/experiment.hpp"
#include "scenarios/data/columns.hpp"
#include "scenarios/data/data_set.hpp"
#include "scenarios/data/table_survey.hpp"
#include "scenarios/format/kinds/data_kinds.hpp"
#include "scenarios/format/kinds/partition_kinds.hpp"
#include "scenarios/format/scenario.hpp"

/// The data of a scenario, and their partition among its agents, as its algorithm's traits want them.
namespace lagnet {

/// Whether a run needs only the size of its data: a run without numbers, unless cells are partitioned or rows are
/// sparse, since entries then decide computations and messages.
bool needs_shape_alone(const Scenario& scenario);

/// The data of a scenario, read or made, with their test set, and preprocessed. Throws Diagnosed, also
/// where data.test_path does not go with the source.
DataSet load_data(const Scenario& scenario);

/// Reads another file of samples as the source reads its own, with as many features: tables by the names of their
/// columns, where both files have them. `as`: what reading the other one learned, or null. Throws Diagnosed; the source
/// has to have load_other.
DataSet load_like(const Choice<DataFamily>& source, const std::filesystem::path& file, Index features,
                  const ReadAs* as);

/// What the columns of a table hold, whether they can be read or not; nothing for other sources. Throws Diagnosed.
std::optional<TableSurvey> survey_of(const Choice<DataFamily>& source);

/// Warns if arrays of more than 64 MiB, which are used where they lie, are copied nevertheless, and says why.
void warn_of_copied_arrays(const Experiment& made, Remarks& warnings);

/// Reports a partition of features if the algorithm partitions samples, or the other way round; a partition by labels
/// that do not exist; and a partition of samples of reduced data, whose rows stand for more samples. The problem's data
/// must exist.
bool check_partition(const AlgorithmTraits& traits, const Choice<PartitionFamily>& partition, const Problem& problem,
                     Diagnostics& diagnostics);

/// The scenario's partition; puts the problem's columns, or rows and labels, in its order. `data` are in their own.
/// Throws Diagnosed; reports holders of no samples.
DataPartition partition_data(const Choice<PartitionFamily>& partition, const AlgorithmTraits& traits,
                             const DataSet& data, Index agents, std::uint64_t seed, Problem& problem,
                             Diagnostics& diagnostics);

/// The first column or row of each agent, and the end (agents + 1); a server has none. Empty if cells are partitioned.
std::vector<Index> starts_by_agent(const DataPartition& partition, const AlgorithmTraits& traits);

}  // namespace lagnet
