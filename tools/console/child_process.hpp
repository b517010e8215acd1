#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lagnet::tools {

/// Runs a program of the search path, without a shell, and waits for it. Its output goes to a file, its messages to
/// another. Gives its exit status, 128 + n if signal n ended it, and 127 if there is no such program.
int run_program(const std::vector<std::string>& command, const std::filesystem::path& output,
                const std::filesystem::path& messages);

}  // namespace lagnet::tools
