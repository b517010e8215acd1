#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "scenarios/files/output_file.hpp"

namespace lagnet::tools {

/// The command shown in a page: the typed words without the output file and the flags of messages, so that the same
/// page has the same bytes.
std::string command_of_page(const std::vector<std::string>& typed);

/// Adds --replace, of a command that writes a result folder.
void add_replace(CLI::App& command, bool& replace, const std::string& same = "prints finished results of the same");

/// Adds -o and --replace, of a command that writes one file. Without a default the latter needs the former.
void add_output_file(CLI::App& command, OutputFile& given, const std::string& what, bool has_default);

}  // namespace lagnet::tools
