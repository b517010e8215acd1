#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// Adds the command to the program.
void add_data(CLI::App& app, Console& console);

/// Prints what would be read of a file: label, features, doubts, and the section "data" that reads it. `keys`:
/// KEY=VALUE of that section; `label`: the label's column, or "". Throws ScenarioError for a file that cannot be read.
int data_command(const std::string& file, const std::vector<std::string>& keys, const std::string& label,
                 const Console& console);

}  // namespace lagnet::tools
