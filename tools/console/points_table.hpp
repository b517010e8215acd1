#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/format/sweep_points.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

/// How a point ended, in words for a reader.
struct PointResult {
  std::string outcome;
  bool is_missed = false;                           // it has not reached the tolerance
  Ink ink = Ink::plain;                             // of the outcome
  std::string rounds, simulated_s, relative_error;  // "" where there is none
};

/// How a point ended of which this is summary.json, by a scenario with this tolerance, or none. A null summary is that
/// of a point that ended by an error.
PointResult result_of(const Json& summary, const std::optional<double>& wanted);

/// The values of each point by which messages call it; where all points have labels, these, "/label", and the values
/// that they do not decide.
std::vector<Settings> told_values(const std::vector<SweepPoint>& points);

/// The points of a sweep, a line for each: its number, its label, its swept values, how it ended, simulated time and
/// relative error. A label stands for the values that it decides. All columns are aligned, and values are cut where
/// lines would be longer than the terminal is wide.
class PointsTable {
 public:
  /// `columns` at most in a line; `is_colored`: the outcomes are.
  PointsTable(const std::vector<SweepPoint>& points, std::size_t columns, bool is_colored);
  /// The names of the columns, and a line for a point, each with its end.
  std::string header() const;
  std::string line(std::size_t point, const PointResult& result) const;

 private:
  /// A line in full.
  std::string text(const std::string& run, const std::vector<std::string>& values,
                   const std::vector<std::string>& results) const;

  std::vector<std::string> keys_;                // the swept ones, by their short names
  std::vector<std::vector<std::string>> cells_;  // of each point, under the keys
  std::vector<std::size_t> widths_;              // of all columns
  std::size_t columns_;
  bool is_colored_;
};

}  // namespace lagnet::tools
