#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "scenarios/deploy/planned_run.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/remark.hpp"
#include "tools/console/command.hpp"
#include "tools/console/printing.hpp"

/// Shared options of the commands that connect to other processes.
namespace lagnet::tools {

/// Tells warnings to the user, unless he wants none.
std::function<void(const Remark&)> warner(const Console& console);

std::chrono::milliseconds milliseconds(double seconds);

/// --patience-s.
void add_patience(CLI::App& command, double& patience_s);

/// How a process of a plan talks to the others: --keys, --insecure and --listen.
struct TalkRequest {
  std::string keys, listen;
  bool is_insecure = false;
};
void add_talk(CLI::App& command, TalkRequest& request);
void apply(const TalkRequest& request, PlannedAgentOptions& options);

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
