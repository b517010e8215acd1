#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/console/command.hpp"
#include "tools/flags/scenario_flags.hpp"

namespace lagnet::tools {

/// What `new` is asked for.
struct NewRequest {
  std::string file;  // to write
  ScenarioFlags flags;
  std::string topology, algorithm;  // kinds, the algorithm with its options
  bool asks = true;                 // for what is missing, on a terminal
};

/// Adds the command to the program.
void add_new(CLI::App& app, Console& console);

/// Writes a scenario with comments that runs as it is. Throws InputError and ScenarioError; then nothing is written.
int new_command(NewRequest request, const Console& console);

}  // namespace lagnet::tools
