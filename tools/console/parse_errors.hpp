#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lagnet::tools {

/// `lagnet help run` as `lagnet run --help`; of a command that does not exist nothing but its name, which is refused.
std::vector<std::string> with_help_option(std::vector<std::string> typed, const CLI::App& app);

/// The words of a command line with those that belong to an --algorithm or to --data joined to one, by line ends.
std::vector<std::string> with_joined_options(const std::vector<std::string>& typed);

/// Makes every option of the program and its commands that takes a number refuse an empty word, as a shell makes it of
/// a variable that is not set: CLI11 reads 0 from it. Call it once all options are there.
void refuse_empty_numbers(CLI::App& app);

/// Why a command line that CLI11 refused is wrong, where lagnet can name what was meant: a command or an option that
/// does not exist, a setting without "=" or without --set. "" elsewhere. `typed` has the words of the command line.
std::string explain_refusal(const CLI::App& app, const std::vector<std::string>& typed);

}  // namespace lagnet::tools
