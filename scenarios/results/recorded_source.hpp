#pragma once

#include <filesystem>

#include "scenarios/json/diagnostics.hpp"
#include "scenarios/run/recorded_values.hpp"

namespace lagnet {

/// A run whose values others take, read from its folder.
struct RecordedSource {
  std::filesystem::path folder;
  Json summary;
  RecordedValues values;

  Round last_round() const { return values.rounds.empty() ? -1 : values.rounds.rbegin()->first; }
};

/// Throws OutputError if files are missing or damaged, or the run has failed, so that its values are not all there.
RecordedSource read_source(const std::filesystem::path& folder);

}  // namespace lagnet
