#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace lagnet {

/// Columns that a UTF-8 text takes on a terminal, one for each character.
std::size_t columns_of(std::string_view text);

/// The text in at most `columns` columns; a longer one ends with "…".
std::string cut(std::string_view text, std::size_t columns);

/// The text padded with blanks to at least `columns` columns, before or after it.
std::string aligned_left(std::string_view text, std::size_t columns);
std::string aligned_right(std::string_view text, std::size_t columns);

/// Rows of as many cells each.
using TextRows = std::vector<std::vector<std::string>>;

/// The width of each column: that of its longest text.
std::vector<std::size_t> widths_of(const TextRows& rows);

/// Of a line with columns of these widths, and two blanks between them.
std::size_t width_of(const std::vector<std::size_t>& widths);

/// Rows under each other, in columns as wide as their texts and two blanks apart. A column is flush left if `is_left`
/// says so, otherwise flush right. No line is longer than `columns`.
std::string laid_out(const TextRows& rows, const std::vector<bool>& is_left,
                     std::size_t columns = std::numeric_limits<std::size_t>::max());

/// One such line in columns of these widths, without blanks at its end.
std::string table_line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                       const std::vector<bool>& is_left);

/// The text with lines of at most `columns` columns, broken between words only; the lines that it has stay apart. Every
/// line but the first is indented.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent = 0);

/// The text in lines of at most `columns` columns, each of which begins with `indent` blanks. Without a limit
/// (SIZE_MAX) it stays one line.
std::string set_in(const std::string& text, std::size_t indent, std::size_t columns);

}  // namespace lagnet
