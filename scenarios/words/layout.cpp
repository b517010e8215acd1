#include "scenarios/words/layout.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <limits>
#include <numeric>
#include <sstream>

namespace lagnet {

namespace {

constexpr std::size_t gap = 2;  // between columns

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

std::vector<std::size_t> widths_of(const TextRows& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], columns_of(row[k]));
  return widths;
}

std::size_t width_of(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

std::string laid_out(const TextRows& rows, const std::vector<bool>& is_left, std::size_t columns) {
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string text;
  for (const auto& row : rows) text += cut(table_line(row, widths, is_left), columns) + "\n";
  return text;
}

std::string table_line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                       const std::vector<bool>& is_left) {
  std::string line;
  for (std::size_t k = 0; k < cells.size(); ++k)
    line += std::string(k > 0 ? gap : 0, ' ') +
            (k < is_left.size() && is_left[k] ? aligned_left : aligned_right)(cells[k], widths[k]);
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
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

}  // namespace lagnet
