#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace lagnet::tools {

constexpr std::size_t any_columns = std::numeric_limits<std::size_t>::max();

bool is_terminal(int descriptor);
/// Columns of the terminal; 80 without a terminal, or if it does not say.
std::size_t terminal_columns(int descriptor);
/// Rows of the terminal; unlimited without a terminal, or if it does not say.
std::size_t terminal_rows(int descriptor);
/// Columns in which a line does not wrap, even if the terminal shows ^C on it: all but three of a terminal's; unlimited
/// without a terminal.
std::size_t line_columns(int descriptor);

/// Whether there is a terminal that takes colors, and the user wants them: the environment variable NO_COLOR is not set
/// (no-color.org), and TERM names a terminal that is not dumb.
bool takes_colors(int descriptor);

/// How texts for people look: any columns and no colors but on a terminal.
struct Look {
  std::size_t columns = any_columns;
  bool is_colored = false;
};
Look look_of(int descriptor);

enum class Ink { plain, bold, dim, green, yellow, red };
/// The text in this ink, if wanted.
std::string inked(std::string_view text, Ink ink, bool is_wanted);

/// "  name   what it is": a line of a list, whose texts begin in column `indent` in every line they take.
std::string entry_line(std::string_view name, std::string_view about, const Look& look, std::size_t indent = 32);

}  // namespace lagnet::tools
