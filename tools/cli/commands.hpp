#pragma once

#include <string>
#include <vector>

#include "scenarios/files/output_file.hpp"
#include "tools/console/command.hpp"

namespace CLI {
class App;
}

/// The subcommands that need no header of their own. A function add_NAME() adds one to the program, which then sets the
/// console's exit status; `typed` is the command line, which the page shows. A function NAME_command() executes one and
/// returns the exit status. They throw InputError, Diagnosed and OutputError.
namespace lagnet::tools {

void add_ask(CLI::App& app, Console& console, const std::string& typed);
void add_calibrate(CLI::App& app, Console& console);
void add_data(CLI::App& app, Console& console);
/// `lagnet deploy` with its commands.
void add_deploy(CLI::App& app, Console& console);
/// `lagnet agent`, a process of what `deploy plan` has planned.
void add_agent(CLI::App& app, Console& console);
void add_design(CLI::App& app, Console& console);
void add_export(CLI::App& app, Console& console);
void add_new(CLI::App& app, Console& console);
void add_report(CLI::App& app, Console& console, const std::string& typed);
void add_serve(CLI::App& app, Console& console, const std::string& typed);

int validate_command(const std::vector<std::string>& scenarios, const std::vector<std::string>& settings,
                     const Console& console);
int list_command(const std::string& what, const Console& console);
int describe_command(const std::vector<std::string>& names, const Console& console);
int schema_command(const Console& console);
/// Prints what there is to know of a scenario's topology; draws it to the file `out`, unless that is empty, as SVG.
int topology_command(const std::string& scenario, const std::vector<std::string>& settings, const OutputFile& out,
                     const Console& console);
/// Checks what the scenario of a result folder expects.
int claims_command(const std::string& folder, const Console& console);
int diff_command(const std::string& a, const std::string& b, const Console& console);
/// Applies the model of a run to the samples in a file; `out`: a CSV file for the single samples, "" for none.
int predict_command(const std::string& run, const std::string& data, const OutputFile& out, const Console& console);

/// What `lagnet --version` prints, without a line break at the end: "lagnet" and the version, a checksum of the
/// program, and the versions of the formats that it reads and writes.
std::string version_text();

}  // namespace lagnet::tools
