#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lagnet::tools {

/// A check that takes everything, and tells the completion of shells what an option's values are: the name of a set
/// (tools/cli/completion), or words with bars between them. Where none is given they follow from the option's other
/// checks, or from how help calls its value: FILE, DIR.
CLI::Validator suggests(const std::string& what);

/// What suggests() said of this option, or else the words of a CLI::IsMember, with bars between them; or "".
std::string suggestion_of(CLI::Option& option);

}  // namespace lagnet::tools
