#pragma once

#include <string>

#include "scenarios/json/document.hpp"

namespace CLI {
class App;
}

/// The commands that the Python package executes, since what they test may be a class in Python. Their options are
/// declared here, with those of all other commands; the package gets what was asked for as one JSON object.
namespace lagnet::tools {

struct Console;

void add_prove(CLI::App& app, Console& console);
void add_hunt(CLI::App& app, Console& console);
void add_artifact(CLI::App& app, Console& console);

/// Gives this process to `python3 -m lagnet.testing COMMAND REQUEST`, with the package beside this program or the one
/// that Python has; LAGNET_PYTHON names another Python. Throws InputError if there is no Python.
[[noreturn]] void continue_in_python(const std::string& command, const Json& request);

}  // namespace lagnet::tools
