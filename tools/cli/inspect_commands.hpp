#pragma once

#include <string>
#include <vector>

#include "tools/console/command.hpp"

namespace lagnet::tools {

int validate_command(const std::vector<std::string>& scenarios, const std::vector<std::string>& settings,
                     const Console& console);
int list_command(const std::string& what, const Console& console);
int describe_command(const std::vector<std::string>& names, const Console& console);
int schema_command(const Console& console);

}  // namespace lagnet::tools
