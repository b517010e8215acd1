#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// Adds the subcommand `report`, which sets the console's exit status; `typed` is the command line, which stands in the
/// page.
void add_report(CLI::App& app, Console& console, const std::string& typed);

}  // namespace lagnet::tools
