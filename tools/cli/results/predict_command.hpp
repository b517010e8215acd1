#pragma once

#include <string>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// What the model of a run says of the samples in a file; `out`: a CSV file for the single samples, "" for none.
int predict_command(const std::string& run, const std::string& data, const std::string& out, const Console& console);

}  // namespace lagnet::tools
