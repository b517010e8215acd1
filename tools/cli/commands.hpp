#pragma once

#include <string>
#include <vector>

#include "scenarios/files/output_file.hpp"
#include "tools/console/command.hpp"

namespace CLI {
class App;
}

/// The subcommands that need no header of their own; those that read results alone are in results/commands.hpp. A
/// function add_NAME() adds one to the program, which then sets the console's exit status; `typed` is the command line,
/// which the page shows. A function NAME_command() executes one and returns the exit status. They throw InputError,
/// Diagnosed and OutputError.
namespace lagnet::tools {

void add_ask(CLI::App& app, Console& console, const std::string& typed);
void add_calibrate(CLI::App& app, Console& console);
void add_data(CLI::App& app, Console& console);
/// `lagnet deploy` with its commands.
void add_deploy(CLI::App& app, Console& console);
/// `lagnet agent`, a process of what `deploy plan` has planned.
void add_agent(CLI::App& app, Console& console);
void add_design(CLI::App& app, Console& console);
void add_explain(CLI::App& app, Console& console);
/// `lagnet import`, which the Python package executes.
void add_import(CLI::App& app, Console& console);
void add_new(CLI::App& app, Console& console);

int validate_command(const std::vector<std::string>& scenarios, const std::vector<std::string>& settings,
                     const Console& console);
int list_command(const std::string& what, const Console& console);
/// The same of algorithms, with what is proven of each in place of its summary.
int list_proven_command(const Console& console);
int describe_command(const std::vector<std::string>& names, const Console& console);
int schema_command(const Console& console);
/// Prints what there is to know of a scenario's topology; draws it to the file `out`, unless that is empty, as SVG.
int topology_command(const std::string& scenario, const std::vector<std::string>& settings, const OutputFile& out,
                     const Console& console);

/// What `lagnet --version` prints, without a line break at the end: "lagnet" and the version, a checksum of the
/// program, and the versions of the formats that it reads and writes.
std::string version_text();

}  // namespace lagnet::tools
