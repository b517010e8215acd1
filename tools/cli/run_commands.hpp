#pragma once

#include <string>
#include <vector>

#include "tools/cli/command.hpp"

namespace lagnet::tools {

int run_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                const Resources& resources, const Console& console);
/// `full`: with the values that the scenario has for full size.
int sweep_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                  const Resources& resources, const Console& console, bool full = false);
int tune_command(const std::string& scenario, const std::vector<std::string>& settings, std::string out,
                 const Resources& resources, const Console& console);
int replay_command(const std::string& folder, const Resources& resources, const Console& console);
int check_command(const std::string& folder, bool update, const Console& console);

}  // namespace lagnet::tools
