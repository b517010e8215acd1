#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/run/outcome.hpp"
#include "sim/base/remark.hpp"

namespace lagnet {

struct LocalRunOptions {
  std::optional<std::uint32_t> processes = {};  // by default one for each agent
  std::chrono::milliseconds patience{30'000};   // with a process that does not answer
  bool restarts = false;                        // restart a killed process, without its state
  bool replaces = false;                        // any earlier results in the folder
  std::function<void(const Remark&)> warn = {};
  std::function<void(const Row&)> row = {};  // takes each row of the result, once the agents have ended
};

/// The one run of a scenario, whose agents can be processes. Throws Diagnosed with its problems, and
/// RunError with all reasons why they cannot.
Experiment local_experiment(const ScenarioFile& file, const LocalRunOptions& options);

/// Runs the agents of a scenario as processes of this computer, which exchange messages over TCP at the loopback
/// address, and writes the folder of a run in real time. Throws Diagnosed with all reasons why the agents cannot be
/// processes, and with the problems of the scenario; OutputError; RunError where a process has failed: by itself, or
/// by a signal unless it is started anew.
Outcome run_locally(const ScenarioFile& file, const std::filesystem::path& out, const LocalRunOptions& options);

}  // namespace lagnet
