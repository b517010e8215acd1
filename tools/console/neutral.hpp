#pragma once

#include <string>
#include <string_view>

namespace lagnet::tools {

/// A text with every character spelled out, as in \x1b or \u202e, that would do something else on a terminal than show
/// itself: control characters but for line ends, tabs and returns; marks that turn the direction of writing; bytes that
/// are no UTF-8. Names and statements come from files that others wrote. Colors and the clearing of a line stay if
/// `has_own`: on terminals lagnet itself prints them.
std::string neutral(std::string_view text, bool has_own);

/// A text for a cell of a Markdown table, with what would be markup there spelled out.
std::string markdown_cell(std::string_view text);

}  // namespace lagnet::tools
