#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "sim/base/errors.hpp"
#include "tools/console/command.hpp"
#include "tools/console/printing.hpp"

/// What the commands that talk to other processes have in common.
namespace lagnet::tools {

/// Tells warnings to the user, unless he wants none.
std::function<void(const std::string&)> warner(const Console& console);

std::chrono::milliseconds milliseconds(double seconds);

/// --patience-s.
void add_patience(CLI::App& command, double& patience_s);

/// --insecure.
void add_insecure(CLI::App& command, bool& is_insecure);

/// What processes that cannot work, or do not, are for a user: his input.
template <class Work>
auto with_input_errors(const Work& work) {
  try {
    return work();
  } catch (const RunError& error) {
    throw InputError(error.what());
  }
}

}  // namespace lagnet::tools
