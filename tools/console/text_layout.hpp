#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lagnet::tools {

/// Columns that a UTF-8 text takes on a terminal, one for each character.
std::size_t columns_of(std::string_view text);

/// The text in at most `columns` columns; a longer one ends with "…".
std::string cut(std::string_view text, std::size_t columns);

/// The text padded with blanks to at least `columns` columns, before or after it.
std::string aligned_left(std::string_view text, std::size_t columns);
std::string aligned_right(std::string_view text, std::size_t columns);

/// Rows of cells under each other, two blanks between columns, which are as wide as their texts: the first `left`
/// columns flush left, the others flush right. No line is longer than `columns`.
std::string laid_out(const std::vector<std::vector<std::string>>& rows, std::size_t left, std::size_t columns);

/// The text with lines of at most so many columns, broken between words only; the lines that it has stay apart. Every
/// line but the first is indented.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent = 0);

/// The text in lines of at most `columns` columns, each of which begins with `indent` blanks. Without a limit
/// (SIZE_MAX) it stays one line.
std::string set_in(const std::string& text, std::size_t indent, std::size_t columns);

}  // namespace lagnet::tools
