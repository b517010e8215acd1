#pragma once

#include <functional>
#include <string>

#include "tools/flags/scenario_flags.hpp"

/// Questions to the user at a terminal.
namespace lagnet::tools {

/// Whether a user can be asked.
bool can_ask();

/// Asks until there is an answer that the check takes, which throws Diagnosed for others; `usual` is what the
/// return key alone says. Throws InputError at the end of the input.
std::string asked_until(const std::string& question, const std::string& usual,
                        const std::function<void(const std::string&)>& check);

/// The label's column of a table; "" for the last one. `hint`: more words of the question.
std::string asked_label(const std::string& data, const std::string& hint = "");

/// Asks which column of a table is the label if this is doubtful and not given. Asks nothing without a terminal.
void ask_for_label(ScenarioFlags& flags);

}  // namespace lagnet::tools
