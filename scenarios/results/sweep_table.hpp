#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace lagnet {

/// Writes sweep.csv: a row for each point with its name, the path of its folder from that of the sweep, which no reader
/// takes for a number ("./000"), its label if any point has one, its values, why it ended, its last row of progress,
/// and the simulated time to each level of relative_error from 1e-1 to 1e-6 that any point gets to (to_1e-4_s), from
/// the files in its folder. Points that record different columns have empty cells in those of the others. Throws
/// OutputError if a file cannot be read or written.
void write_sweep_table(const std::filesystem::path& file, const std::vector<SweepPoint>& points,
                       const std::vector<std::string>& names, const std::vector<std::filesystem::path>& folders);

}  // namespace lagnet
