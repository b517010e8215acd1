#pragma once

#include <string>
#include <vector>

#include "scenarios/files/output_file.hpp"
#include "tools/console/command.hpp"

namespace lagnet::tools {

/// Tells what there is to know of a scenario's topology, and draws it; to the file `out`, unless that is empty, as SVG.
int topology_command(const std::string& scenario, const std::vector<std::string>& settings, const OutputFile& out,
                     const Console& console);

}  // namespace lagnet::tools
