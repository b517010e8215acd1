#pragma once

#include <filesystem>
#include <string>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "scenarios/run/recorded_values.hpp"

namespace lagnet {

/// A run whose values others take, read from its folder.
struct RecordedSource {
  std::filesystem::path folder;
  Json summary;
  RecordedValues values;

  /// Of the run that computed: this one, or the one whose values it has itself.
  std::string trace_hash() const;
};

/// The run in a folder, for an experiment that differs from it in network and compute alone. Throws OutputError where
/// files are missing or damaged, where the run has failed, so that its values are not all there, and where its data,
/// constants or columns are others than the experiment's: files may have changed since.
RecordedSource read_source(const std::filesystem::path& folder, const Experiment& experiment);

/// In summary.json of a retimed run that ends with another round than the one with numbers, which ended in `round`.
Json model_of_other_round(Round round);

}  // namespace lagnet
