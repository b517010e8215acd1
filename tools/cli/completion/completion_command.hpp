#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/cli/completion/candidates.hpp"
#include "tools/console/command.hpp"

namespace lagnet::tools {

/// Adds the subcommand `completion`, which prints the script of a shell.
void add_completion(CLI::App& app, Console& console);

/// Whether these words are `complete -- WORD..`, which the scripts ask.
bool is_asked_to_complete(const std::vector<std::string>& typed);
/// Answers it, a candidate a line: the word, a tab and what it is; ":files", ":folders" or ":scenarios" where the shell
/// is to complete these. `figures` has the papers' figures. Whatever is wrong, there are fewer candidates.
void print_candidates(CLI::App& app, const std::vector<std::string>& typed,
                      const std::function<std::vector<std::string>()>& figures);

}  // namespace lagnet::tools
