#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/results/recorded_runs.hpp"

/// A metric of runs over an axis, brought to common values of it.
namespace lagnet {

/// Points of one run: x ascending, each value once.
struct Curve {
  std::vector<double> x, y;
  bool reached_goal = false;  // the run ended for this reason: its last value holds from then on
};

/// A metric of a run over a column that never decreases. Rows without the metric are left out; of rows with the same x
/// the last one counts. Throws OutputError if there is no such column, if the axis is not complete or falls, or if the
/// metric is nowhere recorded.
Curve recorded_curve(const RecordedRun& run, std::string_view axis, std::string_view metric);

/// The last y at or before x; nothing before the first point and beyond the last.
std::optional<double> carried_forward(const Curve& curve, double x);
/// The values at x over which the median, mean, least and most of a series' curves are taken: one value of every run,
/// or nothing if a run has none. Tables, files and the page all use this definition.
///
/// A run has the value that it recorded last at or before x. One that ended because it reached its goal, a tolerance
/// (stop.relative_error) or a metric (stop.metric), keeps its last value beyond its end, until the last run has ended:
/// it is done, and would only get better. Any other end is the end of the series' curves, since the values after it are
/// unknown. So a curve always covers the same runs, and its median never rises unless a run does. Costs of a level
/// differ: a run that never reaches the level counts as infinite, so that the median over n runs is known if more than
/// half reach it.
std::optional<std::vector<double>> values_of_all(const std::vector<Curve>& curves, double x);

/// On the line between the neighboring points; nothing before the first and beyond the last.
std::optional<double> interpolated(const Curve& curve, double x);

/// Every x of any curve, ascending, each once.
std::vector<double> union_of_x(const std::vector<Curve>& curves);
/// At most `points` of ascending values, as evenly spread as they allow, with the first and the last; all of them if
/// there are no more, or for 0 points.
std::vector<double> spread_out(const std::vector<double>& values, std::size_t points);

/// The quantile of values in ascending order at p in [0, 1]: on the line between the order statistics around (n - 1) p,
/// as NumPy and R do by default (type 7 of R. J. Hyndman, Y. Fan, The American Statistician 50(4), 1996).
double quantile(const std::vector<double>& ascending, double p);

/// The summary of several values.
struct Spread {
  std::size_t count = 0;
  double mean = 0, median = 0, min = 0, max = 0;  // of no use if there are none
};
Spread spread_of(std::vector<double> values);

/// The mean of curves, at every x of any of them that all of them reach, on the lines between their points.
Curve mean_curve(const std::vector<Curve>& curves, const std::vector<double>& at);

/// Where two curves over the same x cross: the difference changes its sign, on the lines between the points. Where they
/// are equal in between, at the first such point; curves that only touch do not cross, nor do curves over a point where
/// one is infinite.
struct Crossing {
  double x = 0, y = 0;
  bool first_is_lower_after = false;
};
std::vector<Crossing> crossings(const Curve& first, const Curve& second);

}  // namespace lagnet
