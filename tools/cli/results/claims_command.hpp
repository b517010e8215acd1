#pragma once

#include <string>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// What the scenario of a result folder expects.
int claims_command(const std::string& folder, const Console& console);

}  // namespace lagnet::tools
