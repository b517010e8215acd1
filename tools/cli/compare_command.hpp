#pragma once

#include <string>
#include <vector>

#include "scenarios/compare/tables/comparison.hpp"
#include "tools/cli/command.hpp"

namespace lagnet::tools {

/// What `compare` is asked for.
struct CompareArguments {
  std::vector<std::string> folders;
  CompareOptions options;
  std::string format = {};  // text, csv, json or latex; none: text, or JSON where the console asks for it
  std::string table = {};   // one alone; none: all of them, as csv the curves
  std::string out = {};     // file; none: stdout
};

int compare_command(const CompareArguments& given, const Console& console);

}  // namespace lagnet::tools
