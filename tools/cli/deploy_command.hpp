#pragma once

#include <CLI/CLI.hpp>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// Adds `lagnet deploy` with its commands.
void add_deploy(CLI::App& app, Console& console);

/// Adds `lagnet agent`, a process of what `deploy plan` has planned.
void add_agent(CLI::App& app, Console& console);

}  // namespace lagnet::tools
