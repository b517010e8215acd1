#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// Rows around the place where a metric gets to a level, and stays there: in every later row it is at the level or
/// beyond it. When it did so lies between two rows.
struct LevelRows {
  std::optional<std::size_t> touched;  // the first row that is there, whatever comes after it
  std::optional<std::size_t> before;   // the last row that is short of the level, if one is and `there` is known
  std::optional<std::size_t> there;    // the first row from which on it stays; nothing if the last row is short of it
};

/// `rising`: large values are good, and the level is reached from below. NaN, as a run that diverged has it, is short
/// of every level.
LevelRows level_rows(std::span<const double> values, double level, bool rising = false);

/// The same for a column of a run, without the rows where it is empty. Throws OutputError as recorded_column does.
LevelRows level_rows(const RecordedRun& run, std::string_view column, double level, bool rising = false);

}  // namespace lagnet
