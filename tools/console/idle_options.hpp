#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Options without effect, and names of files that contradict their content. All functions throw InputError.
namespace lagnet::tools {

/// Refuses an option that was given though it `is_idle`; `why` goes on from "has no effect ..".
void refuse_idle(const CLI::App& command, const std::string& option, bool is_idle, const std::string& why);

/// The same for several options, for one reason.
void refuse_all_idle(const CLI::App& command, const std::vector<std::string>& options, bool is_idle,
                     const std::string& why);

/// Refuses those of --quiet, --json and --verbose that the command that was typed does not heed.
void refuse_unheeded_flags(const CLI::App& app);

/// Endings of names, each with its format.
using Endings = std::vector<std::pair<std::string_view, std::string_view>>;

/// The format of a file that is written: that of the name's ending, or, where the name has none, the one that was asked
/// for. "" if neither says one. `asked_by`: the option that asked, as in "--format csv"; "" if none did.
std::string format_of_name(const std::string& option, const std::string& file, const Endings& endings,
                           const std::string& asked = {}, const std::string& asked_by = {});

/// Refuses a name with an ending of another format than the only one that an option writes.
void check_ending(const std::string& option, const std::string& file, const Endings& endings);

inline const Endings json_endings{{".json", "json"}, {".jsonc", "json"}};

}  // namespace lagnet::tools
