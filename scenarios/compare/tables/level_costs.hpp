#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"

/// What it costs until the metric of a run gets to a level.
namespace lagnet {

/// A cost of an accuracy, with the column of progress.csv that counts it.
struct Currency {
  std::string column;
  std::string heading;  // with the column's unit where the words do not say it
};
const std::vector<Currency>& currencies();

/// A column with its unit, if it is a currency, else as it is called.
std::string heading_of(const std::string& column);

/// What a column counts when the metric first gets to a level; nothing if it never does.
std::optional<double> cost_of(const RecordedRun& run, const std::string& column, double level,
                              const CompareOptions& options);

/// The costs of a series' runs that get to a level.
std::vector<double> costs_of(const Series& series, const std::string& column, double level,
                             const CompareOptions& options);

/// Over all runs of a series, of which some may never have got there: they are dearer than all others.
std::optional<double> median_cost(std::vector<double> costs, std::size_t runs);

}  // namespace lagnet
