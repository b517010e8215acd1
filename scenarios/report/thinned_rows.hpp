#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/run/recorded_values.hpp"

namespace lagnet {

/// Selects rows that represent a table in a picture, ascending; all of them if there are no more than `at_most`:
/// * the first and the last;
/// * with half of the room, rows at which the progress has moved by a step since the row before that was kept: the
///   logarithm of relative_error, or the objective where there is no such error. The step is as small as the room
///   permits, so that at any moment, and so on any axis, the last kept value is less than a step from the last value;
/// * with the rest, the smallest and the largest value of every column in each of as many equal spans of rows as there
///   is room for, and in one span in any case. So every column keeps its peaks, whichever columns are drawn.
/// The first of equal values counts, and cells without a number do not.
std::vector<std::size_t> thinned_rows(const ProgressTable& table, std::size_t at_most);

}  // namespace lagnet
