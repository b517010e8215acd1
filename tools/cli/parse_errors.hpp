#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lagnet::tools {

/// `lagnet help run` as `lagnet run --help`.
std::vector<std::string> with_help_option(std::vector<std::string> typed);

/// Why a command line that CLI11 refused is wrong, where one can say more than it does; "" elsewhere: a command or an
/// option that does not exist, a setting without "=". `typed`: what was given.
std::string explain_refusal(const CLI::App& app, const std::vector<std::string>& typed);

}  // namespace lagnet::tools
