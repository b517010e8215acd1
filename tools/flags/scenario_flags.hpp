#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

/// Parts of a scenario as one says them on the command line, for the commands that write one: `new` and `ask`.
namespace lagnet::tools {

/// The values of the flags; an empty text is a flag that was not given.
struct ScenarioFlags {
  std::string data;   // a file, and keys of the section "data" behind it, apart by line ends
  std::string label;  // of a CSV file: the name or number of the label's column
  std::string loss;
  std::optional<std::int64_t> agents;  // that hold data
  std::string latency;                 // "50", "0.05 s", "5..150", "regions.csv"
  std::string bandwidth;               // "10Mbit", of each agent's interface
  std::string profile;                 // of the network
  std::string sites;                   // a file
  std::optional<double> to;            // relative error to reach
  std::optional<double> l2;            // weight of the regularizer
};

/// Adds them to a command.
void add_scenario_flags(CLI::App& command, ScenarioFlags& flags);

/// Where samples come from, and a loss that takes their labels.
struct ChosenData {
  Json section;  // "data" of a scenario in the folder
  std::string loss;
  std::int64_t samples = 0, features = 0;
  std::string remark;               // the kind of the labels, and its consequences
  std::string label;                // "label: price (last column)", and how to change it; empty where the user said it
  std::vector<std::string> doubts;  // defaults chosen for the user, and how to change them
};

/// Reads the file to see what its labels are; without a file the data are made up. Throws Diagnosed.
ChosenData choose_data(const ScenarioFlags& flags, const std::filesystem::path& folder);

/// Its label and doubts, one a line.
std::string remarks_text(const ChosenData& chosen);

/// Columns that may be the label if the user did not say which one is; empty if nothing is doubtful. Throws
/// Diagnosed for a file that is none.
std::vector<std::string> doubtful_labels(const ScenarioFlags& flags);

/// A number, or {"kind": "uniform", ..} for "low..high", in the unit of the key, for a flag of this name. Throws
/// Diagnosed with the units that there are.
Json number_or_range(std::string_view flag, std::string_view key, const std::string& text);

/// The section "topology" of a kind with this number of agents: what else the kind needs is chosen. Throws Diagnosed.
Json topology_section(const std::string& kind, std::int64_t agents);

/// JSON on one line, with a blank after each comma and colon.
std::string on_one_line(const Json& value);

/// Throws Diagnosed if there is something at the path.
void refuse_existing(const std::filesystem::path& path, std::string_view command);

/// Writes the text of a new scenario if it is one that `lagnet validate` finds nothing wrong with. Throws Diagnosed
/// and OutputError; then there is no file.
void write_checked_scenario(const std::filesystem::path& path, const std::string& text);

}  // namespace lagnet::tools
