#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/compare/tables/run_values.hpp"

namespace lagnet {

/// A mean with the interval that it lies in.
struct MeanInterval {
  std::size_t count = 0;
  std::optional<double> mean;       // nothing of no values
  std::optional<double> low, high;  // nothing of fewer than two values
};

/// Calls `visit` with the places of each bootstrap resample of as many values.
void for_each_resample(std::size_t count, const BootstrapOptions& options,
                       const std::function<void(const std::vector<std::size_t>& places)>& visit);

/// The mean of values and its percentile bootstrap interval (B. Efron, R. J. Tibshirani, "An Introduction to the
/// Bootstrap", 1993, section 13.3). Resample b = 0, 1, ... is the mean of values[i] over as many i as there are values,
/// drawn by below() of Draws(seed, "bootstrap", agent 0, round b); the ends are the quantiles (1 -+ confidence) / 2 of
/// these means, as quantile() has them. Values are expected to be finite.
MeanInterval bootstrap_mean(const std::vector<double>& values, const BootstrapOptions& options);

/// The same for the geometric mean of ratios above 0: the exponential of the interval of their logarithms.
MeanInterval bootstrap_ratio(const std::vector<double>& ratios, const BootstrapOptions& options);

/// Which points no other point beats. One point beats another if it is nowhere larger, and smaller in one of the two.
struct CostPair {
  double first = 0, second = 0;
};
std::vector<bool> on_pareto_front(const std::vector<CostPair>& points);

/// The index of each series' baseline, or nothing.
struct Baselines {
  std::vector<std::optional<std::size_t>> of_series;
  std::size_t left_out = 0;  // series that differ from the baseline in more than one swept key
};

/// The baselines of all series. The first series is one for those only that differ from it in one swept key; who names
/// another one means it for all. Throws OutputError for a baseline that is no series, or a value that no series has.
Baselines baselines_of(const std::vector<RecordedRun>& runs, const std::vector<ComparedSeries>& measured,
                       const std::vector<DistinctValues>& keys, const CompareOptions& options);

/// The difference of each series to its baseline, over the seeds that both have.
TablePair paired_table(const std::vector<ComparedSeries>& measured, const Baselines& baselines,
                       const CompareOptions& options);

}  // namespace lagnet
