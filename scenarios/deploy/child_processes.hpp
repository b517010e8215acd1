#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/deploy/agent_process.hpp"
#include "sim/base/remark.hpp"

namespace lagnet {

struct ChildOptions {
  std::uint32_t processes = 1;
  std::chrono::milliseconds patience{30'000};  // with a process that does not answer
  bool restarts = false;                       // restart a killed process, without its state
  std::function<void(const Remark&)> warn = {};
};

using ProcessWork = std::function<void(const AgentProcess&)>;

/// Runs this many processes on this computer, which have the agents of an experiment and listen at the loopback
/// address. Gives the files in `folder` that their logs are for, one for each start of a process. Throws RunError for
/// the first process that fails: by itself, or by a signal unless it is restarted. No process outlives this call.
std::vector<std::filesystem::path> in_processes(const Experiment& experiment, const std::filesystem::path& folder,
                                                const ChildOptions& options, const ProcessWork& work);

}  // namespace lagnet
