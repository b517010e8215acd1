#pragma once

#include <string>

#include "scenarios/files/output_file.hpp"
#include "tools/console/command.hpp"

namespace CLI {
class App;
}

/// The subcommands that read results alone; tools/cli/commands.hpp says what the functions have in common.
namespace lagnet::tools {

void add_export(CLI::App& app, Console& console);
void add_report(CLI::App& app, Console& console, const std::string& typed);
void add_serve(CLI::App& app, Console& console, const std::string& typed);

/// Checks what the scenario of a result folder expects.
int claims_command(const std::string& folder, const Console& console);
int diff_command(const std::string& a, const std::string& b, const Console& console);
/// Applies the model of a run to the samples in a file; `out`: a CSV file for the single samples, "" for none.
int predict_command(const std::string& run, const std::string& data, const OutputFile& out, const Console& console);

}  // namespace lagnet::tools
