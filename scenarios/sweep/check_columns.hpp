#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// Reports columns that `expect` and `figure` name and no run will have, before hours of a sweep are spent. `columns`:
/// those of progress.csv, of each run.
void check_presented_columns(const ScenarioFile& file, const std::vector<std::vector<std::string>>& columns,
                             Diagnostics& problems);

}  // namespace lagnet
