#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/types.hpp"

namespace lagnet::tools {

/// Whether Slurm takes this for a time limit: minutes, minutes:seconds, hours:minutes:seconds, days-hours,
/// days-hours:minutes or days-hours:minutes:seconds (man sbatch).
bool is_slurm_time(const std::string& text);

/// What a job script is made of.
struct SlurmScript {
  std::string name;                  // of the job
  std::vector<std::string> command;  // of lagnet, which also takes --part: program, then arguments
  std::string out;                   // the result folder that it writes, as an absolute path
  std::size_t parts = 1;             // that run in an array of jobs
  std::string time;                  // limit of a task, as sbatch takes it
  unsigned cpus = 1;                 // of a task
  Bytes memory = 0;                  // of a task
  std::vector<std::string> options;  // of sbatch, beside these: "--partition=long"
};

/// A script that submits itself twice: as an array with a task for each part, and as a job after these that writes the
/// results, and runs what the tasks have left. A task whose time is up, or that must give way, lets lagnet put away
/// what is finished, and queues again if anything was finished since it began.
std::string text_of(const SlurmScript& script);

}  // namespace lagnet::tools
