#pragma once

#include <CLI/App.hpp>

#include "tools/cli/command.hpp"

namespace lagnet::tools {

/// Adds the subcommand `compare`, which sets the console's exit status.
void add_compare(CLI::App& app, Console& console);

}  // namespace lagnet::tools
