#pragma once

#include <string>

#include "tools/console/command.hpp"

namespace lagnet::tools {

int diff_command(const std::string& a, const std::string& b, const Console& console);

}  // namespace lagnet::tools
