#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "scenarios/files/output_file.hpp"

namespace lagnet::tools {

/// Adds --replace, of a command that writes a result folder.
void add_replace(CLI::App& command, bool& replace);

/// Adds -o and --replace, of a command that writes one file. Without a default the latter needs the former.
void add_output_file(CLI::App& command, OutputFile& given, const std::string& what, bool has_default);

}  // namespace lagnet::tools
