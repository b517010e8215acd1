#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// What `slurm` is asked for beside the sweep.
struct SlurmRequest {
  int tasks = 0;
  std::string time;                  // as sbatch takes it
  int cpus = 1;                      // of a task
  std::optional<int> memory_mib;     // of a task; by default what the largest points are estimated to take
  std::vector<std::string> options;  // of sbatch: "--partition=long"
};

/// Prints the job script of a sweep or a search of parameters. Throws InputError, Diagnosed and what assembling the
/// points throws.
int slurm_command(const RunRequest& request, const SlurmRequest& wanted, const Console& console);

/// Whether Slurm takes this for a time limit: minutes, minutes:seconds, hours:minutes:seconds, days-hours,
/// days-hours:minutes or days-hours:minutes:seconds (man sbatch).
bool is_slurm_time(const std::string& text);

}  // namespace lagnet::tools
