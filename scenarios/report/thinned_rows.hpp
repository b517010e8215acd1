#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// Selects rows that represent a table in a picture, ascending: the first and the last, and the smallest and the
/// largest value of every column in each of as many equal spans of rows as keep them at `at_most`, or in one span where
/// even that is more. All rows if there are no more than that. So every column keeps its peaks, whichever columns are
/// drawn. The first of equal values counts, and cells without a number do not.
std::vector<std::size_t> thinned_rows(const ProgressTable& table, std::size_t at_most);

}  // namespace lagnet
