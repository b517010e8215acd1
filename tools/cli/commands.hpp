#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/compare/comparison.hpp"

/// What the subcommands of the command line do; each returns the exit status.
namespace lagnet::tools {

/// How the user wants to be told.
struct Console {
  bool quiet = false;
  bool json = false;
  bool markdown = false;       // statements as a table
  bool only_progress = false;  // quiet but for the progress
  int exit_status = 0;
};

/// What runs may take of the machine; no result depends on it.
struct Resources {
  unsigned threads = 1;                           // of each run
  std::optional<unsigned> jobs;                   // runs of a sweep side by side; by default the cores over threads
  std::optional<std::int64_t> memory_budget_mib;  // for them; by default three quarters of what is available
};

/// Something that the user gave cannot be used, a folder or a name; scenarios have ScenarioError.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What `compare` is asked for.
struct CompareArguments {
  std::vector<std::string> folders;
  CompareOptions options;
  std::string format = {};  // text, csv, json or latex; none: text, or JSON where the console asks for it
  std::string table = {};   // one alone; none: all of them, as csv the curves
  std::string out = {};     // file; none: stdout
};

int run_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                const Resources& resources, const Console& console);
/// `full`: with the values that the scenario has for full size.
int sweep_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                  const Resources& resources, const Console& console, bool full = false);
/// The papers with their figures and what these show.
int papers_command(const Console& console);
/// The papers' figures: "PAPER" or "PAPER/FIGURE"; of nothing, which there are.
int reproduce_command(const std::string& what, bool full, std::string out, const Resources& resources,
                      const Console& console);
/// What the scenario of a result folder expects.
int claims_command(const std::string& folder, const Console& console);
int tune_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                 const Resources& resources, const Console& console);
int validate_command(const std::vector<std::string>& scenarios, const Console& console);
int topology_command(const std::string& scenario, const std::vector<std::string>& settings, const Console& console);
int list_command(const std::string& what, const Console& console);
int describe_command(const std::string& name, const Console& console);
int schema_command(const Console& console);
int replay_command(const std::string& folder, const Resources& resources, const Console& console);
int diff_command(const std::string& a, const std::string& b, const Console& console);
int compare_command(const CompareArguments& given, const Console& console);
int check_command(const std::string& folder, bool update, const Console& console);

}  // namespace lagnet::tools
