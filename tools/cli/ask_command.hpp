#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/console/command.hpp"
#include "tools/flags/scenario_flags.hpp"

namespace lagnet::tools {

/// What `ask` is asked.
struct AskRequest {
  ScenarioFlags flags;
  std::vector<std::string> algorithms;  // in place of the usual ones, with their options
  std::string scenario, out;            // file and folder to write; by default named after the data
  bool is_dry = false;                  // only the scenario
  bool replace = false;                 // earlier results
  bool are_of_theory = false;           // options that theory has values for are not tuned
  Resources resources;
  std::string command = {};  // as it was typed
};

/// Adds the command to the program. `typed` is the command line.
void add_ask(CLI::App& app, Console& console, const std::string& typed);

/// Which method and topology reaches an error first: writes a scenario that compares a sensible set of them, runs it,
/// tells the result and writes the page. Throws InputError, ScenarioError and OutputError.
int ask_command(AskRequest request, const Console& console);

}  // namespace lagnet::tools
