#pragma once

#include <string>

#include "scenarios/files/output_file.hpp"
#include "tools/console/command.hpp"

namespace lagnet::tools {

/// What the model of a run says of the samples in a file; `out`: a CSV file for the single samples, "" for none.
int predict_command(const std::string& run, const std::string& data, const OutputFile& out, const Console& console);

}  // namespace lagnet::tools
