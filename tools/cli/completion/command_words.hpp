#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/cli/completion/candidates.hpp"

namespace lagnet::tools {

/// What the last of these words can become, after those before it: a subcommand or an option of `app`, a value of an
/// option, a name of a file. `words` are those after the program's name, the last one up to the cursor and perhaps
/// empty. Only candidates that begin like it.
Candidates candidates_for(CLI::App& app, const std::vector<std::string>& words, const NamedCandidates& named);

}  // namespace lagnet::tools
