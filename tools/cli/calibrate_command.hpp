#pragma once

#include <CLI/CLI.hpp>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// The command calibrate.
void add_calibrate(CLI::App& app, Console& console);

}  // namespace lagnet::tools
