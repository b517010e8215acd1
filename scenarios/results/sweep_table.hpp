#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace lagnet {

/// A value of a point in a table.
std::string cell(const Json& value);

/// sweep.csv: a row for each point with its name, its label if any point has one, its values, why it ended and its last
/// row of progress, from the files in its folder. Points that record different columns have empty cells in those of the
/// others. Throws OutputError if a file cannot be read.
std::string sweep_table(const std::vector<SweepPoint>& points, const std::vector<std::string>& names,
                        const std::vector<std::filesystem::path>& folders);

}  // namespace lagnet
