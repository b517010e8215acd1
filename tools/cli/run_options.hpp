#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// --threads, --jobs and --memory-budget-mib.
void add_resources(CLI::App& command, Resources& given);
/// --memory-budget-mib alone.
void add_memory_budget(CLI::App& command);

/// --set KEY=VALUE and --sweep KEY=VALUES, as settings for read_scenario_file().
void add_settings(CLI::App& command, std::vector<std::string>& settings, const std::string& what);
void add_sweeps(CLI::App& command, std::vector<std::string>& settings);

/// --algorithm NAME [KEY=VALUE]..., whose words with_joined_options() has joined: as settings that come first, so that
/// others can change them. Several of them are a sweep.
void add_algorithms(CLI::App& command, std::vector<std::string>& settings);

/// The commands run, sweep, estimate, retime, reproduce and tune.
void add_runs(CLI::App& app, Console& console);

}  // namespace lagnet::tools
