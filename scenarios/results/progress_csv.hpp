#pragma once

#include <string>
#include <vector>

#include "scenarios/run/outcome.hpp"

/// progress.csv: a row for each recorded round.
namespace lagnet {

std::string progress_csv(const Experiment& assembly, const Outcome& outcome);

/// Its header and the values of a row; an empty text where there is no number.
std::vector<std::string> progress_columns(const Experiment& assembly);
std::vector<std::string> progress_values(const Row& row);

}  // namespace lagnet
