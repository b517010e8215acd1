#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/compare/tables/curve.hpp"
#include "scenarios/compare/tables/result_table.hpp"
#include "scenarios/compare/tables/series.hpp"

/// What every table of a comparison is made of.
namespace lagnet {

struct BootstrapOptions {
  std::size_t resamples = 10'000;
  double confidence = 0.95;  // in (0, 1)
  std::uint64_t seed = 1;    // of these draws, which have nothing to do with those of the runs
};

struct CompareOptions {
  std::string metric = "relative_error";  // column of progress.csv
  std::string against = "simulated_s";    // column that never falls: the axis, and what paired differences are of
  std::vector<double> to = {};            // levels of the metric; none: the usual ones of relative_error
  bool rising = false;                    // large values of the metric are good: levels are reached from below
  // What the others are compared with: a series, by default the first, or "KEY=VALUE": each series is compared with the
  // one that is the same but for this value.
  std::string baseline = {};
  std::string by = {};      // key whose values are the rows of a pivot table; none: no such table
  bool all = false;         // people's tables show every series, however many there are
  std::size_t points = 20;  // at most so many values of the axis in the curves; 0: all that occur
  BootstrapOptions bootstrap = {};
};

/// A series with what its runs recorded of the metric over the axis.
struct ComparedSeries {
  Series series;
  std::vector<Curve> curves;  // of its runs
};

/// A table as people and as programs read it.
struct TablePair {
  ResultTable shown, tidy;
};
inline TablePair same_for_both(ResultTable table) { return {table, std::move(table)}; }

}  // namespace lagnet
