#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// What `design` is asked.
struct DesignRequest {
  std::string scenario;
  std::vector<std::string> settings;   // values to change before
  std::string out;                     // scenario to write; by default design-<name of the file>.json
  std::string underlay;                // GraphML file whose shortest ways are the latencies; "": those of the scenario
  std::string latency_from = "edges";  // of the underlay: edges, or distance
  std::optional<std::int64_t> degree;  // most neighbors in trees, and degree of the control
};

/// Adds the command to the program.
void add_design(CLI::App& app, Console& console);

/// Proposes topologies, prints how long a round takes on each, and writes a scenario with a sweep over them. Throws
/// InputError, ScenarioError and OutputError; then nothing is written.
int design_command(const DesignRequest& request, const Console& console);

}  // namespace lagnet::tools
