#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/files/folder_lock.hpp"

namespace lagnet::tools {

/// The user's choice of output, and the exit status.
struct Console {
  bool quiet = false;
  bool json = false;
  bool verbose = false;        // a sentence for every point of a sweep
  bool markdown = false;       // statements as a table
  bool only_progress = false;  // quiet but for the progress
  int exit_status = 0;
};

/// What is typed for RunSettings. Whether --jobs is among it counts, since a single run refuses it.
struct Resources {
  unsigned threads = 1;
  std::optional<unsigned> jobs;
};

/// What `run`, `sweep`, `tune` and `reproduce` are asked for.
struct RunRequest {
  std::string scenario;               // a file; for reproduce PAPER/FIGURE, for retime a result folder
  std::vector<std::string> settings;  // values to change before: "/topology/agents=16"
  std::string out;                    // folder; none: runs/ and a name
  bool full = false;                  // the paper's size where the usual one is reduced
  std::string seeds = {};             // for reproduce: "5" draws, or "11..20"; none: the scenario's own
  bool retime = false;                // points that differ in time alone
  bool replace = false;               // earlier results, whatever they are of
  std::optional<Share> part = {};     // of the points; none: all
  bool watch = false;                 // serve the page of the folder while it fills
  Resources resources;
};

/// Something that the user gave cannot be used, a folder or a name; scenarios, data and graphs have Diagnosed.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lagnet::tools
