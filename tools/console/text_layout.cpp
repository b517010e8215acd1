#include "tools/console/text_layout.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <limits>
#include <sstream>

namespace lagnet::tools {

namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::string blanks(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(columns > used ? columns - used : 0, ' ');
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string cut(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end)
    if (begins_character(text[end]) && seen++ == columns - 1) break;
  return std::string(text.substr(0, end)) + "…";
}

std::string aligned_left(std::string_view text, std::size_t columns) {
  return std::string(text) + blanks(text, columns);
}

std::string aligned_right(std::string_view text, std::size_t columns) {
  return blanks(text, columns) + std::string(text);
}

std::string laid_out(const std::vector<std::vector<std::string>>& rows, std::size_t left, std::size_t columns) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], columns_of(row[k]));
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k)
      line += (k > 0 ? "  " : "") + (k < left ? aligned_left(row[k], widths[k]) : aligned_right(row[k], widths[k]));
    line.erase(line.find_last_not_of(' ') + 1);
    text += cut(line, columns) + "\n";
  }
  return text;
}

std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent) {
  std::string lines, line, word;
  std::istringstream paragraphs(text);
  const std::string margin(indent, ' ');
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    std::istringstream words(paragraph);
    bool is_empty = true;  // so far the line has no word
    for (line = lines.empty() ? "" : margin; words >> word; is_empty = false) {
      if (!is_empty && columns_of(line) + 1 + columns_of(word) > columns) {
        lines += line + '\n';
        line = margin;
        is_empty = true;
      }
      line += (is_empty ? "" : " ") + word;
    }
    lines += (is_empty ? "" : line) + '\n';
  }
  if (!lines.empty()) lines.pop_back();
  return lines;
}

std::string set_in(const std::string& text, std::size_t indent, std::size_t columns) {
  constexpr std::size_t fewest = 20;  // narrower lines are harder to read than broken ones
  const std::string margin(indent, ' ');
  if (columns == std::numeric_limits<std::size_t>::max()) return margin + text;
  std::string lines = wrapped(text, columns > indent + fewest ? columns - indent : fewest);
  boost::replace_all(lines, "\n", "\n" + margin);
  return margin + lines;
}

}  // namespace lagnet::tools
