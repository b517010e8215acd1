#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

/// The rows of a progress.csv, by column.
struct ProgressTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  // of each column, one a row; NaN where the cell is empty
  std::vector<std::vector<bool>> empty;     // which cells are, of each column

  std::size_t rows() const { return values.empty() ? 0 : values.front().size(); }
  /// As many as there are columns if there is no such one.
  std::size_t place_of(std::string_view column) const {
    return static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin());
  }
  /// Null if there is no such column.
  const std::vector<double>* find(std::string_view column) const {
    const std::size_t place = place_of(column);
    return place == columns.size() ? nullptr : &values[place];
  }
  /// Nothing where it is empty.
  std::optional<double> cell(std::size_t column, std::size_t row) const {
    return empty[column][row] ? std::nullopt : std::optional(values[column][row]);
  }
};

/// What a run found, for runs with the same values in other times.
struct RecordedValues {
  ProgressTable progress;  // with a row at least, of ascending rounds
  ErrorScale error_scale;  // without the minimizer
  std::optional<RateBound> bound = {};

  Round last_round() const { return static_cast<Round>(progress.find("round")->back()); }
};

/// Recorded values end before, or lie between, the rounds that a run has in other times.
class ValuesMissing : public RunError {
 public:
  using RunError::RunError;
};

}  // namespace lagnet
