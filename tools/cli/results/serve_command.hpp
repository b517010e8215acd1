#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/console/command.hpp"
#include "tools/serve/serve.hpp"

namespace lagnet::tools {

/// Adds the command to the program; `typed` stands in the page.
void add_serve(CLI::App& app, Console& console, const std::string& typed);

/// Serves a folder's page until a signal ends the program. Throws InputError and OutputError.
int serve_command(const ServeOptions& options, const Console& console);

}  // namespace lagnet::tools
