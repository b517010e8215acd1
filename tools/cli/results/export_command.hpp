#pragma once

#include <CLI/App.hpp>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// Adds the subcommand `export`, which sets the console's exit status.
void add_export(CLI::App& app, Console& console);

}  // namespace lagnet::tools
