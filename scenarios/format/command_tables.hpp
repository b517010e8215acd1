#pragma once

#include <vector>

#include "scenarios/format/column_dictionary.hpp"

namespace lagnet {

/// The tables that commands write beside the folders of runs: of sweeps and tunings, comparisons and exports.
std::vector<TableText> tables_of_commands();

}  // namespace lagnet
