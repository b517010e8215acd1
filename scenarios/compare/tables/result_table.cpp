#include "scenarios/compare/tables/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/files/csv_records.hpp"

namespace lagnet {

namespace {

using CellKind = ResultCell::Kind;

/// Whether a column is aligned left: it holds texts.
bool has_texts(const ResultTable& table, std::size_t column) {
  return std::ranges::any_of(table.rows, [&](const auto& row) { return row[column].kind == CellKind::text; });
}

/// A number with `digits` digits; 0: all of them. Counts are always whole.
std::string plain_text(const ResultCell& cell, int digits) {
  if (cell.kind == CellKind::count) return fmt::format("{}", cell.count);
  if (cell.kind == CellKind::text) return cell.text;
  if (cell.kind == CellKind::nothing) return "";
  return digits == 0 ? fmt::format("{}", cell.number) : fmt::format("{:.{}g}", cell.number, digits);
}

/// The width of UTF-8 text whose characters all take one column.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool left) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return left ? text + blanks : blanks + text;
}

std::string escaped_for_latex(const std::string& text) {
  static const std::map<char, std::string> special{{'\\', "\\textbackslash{}"},
                                                   {'~', "\\textasciitilde{}"},
                                                   {'^', "\\textasciicircum{}"},
                                                   {'<', "\\textless{}"},
                                                   {'>', "\\textgreater{}"},
                                                   {'|', "\\textbar{}"},
                                                   {'"', "''"}};
  std::string escaped;
  for (const char c : text) {
    if (const auto found = special.find(c); found != special.end())
      escaped += found->second;
    else if (std::string_view("{}_&%#$").find(c) != std::string_view::npos)
      escaped += std::string("\\") + c;
    else
      escaped += c;
  }
  return escaped;
}

/// 1.2e-05 as $1.2\times10^{-5}$.
std::string latex_number(const std::string& text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return "$" + text + "$";
  std::string exponent = text.substr(e + 1);
  const std::string sign = exponent.starts_with('-') ? "-" : "";
  exponent.erase(0, std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
  return fmt::format("${}\\times10^{{{}{}}}$", text.substr(0, e), sign, exponent);
}

std::string latex_cell(const ResultCell& cell) {
  constexpr int digits = 4;
  if (cell.kind == CellKind::nothing) return "--";
  if (cell.kind == CellKind::text) return escaped_for_latex(cell.text);
  if (cell.kind == CellKind::number && !std::isfinite(cell.number))
    return std::isnan(cell.number) ? "--" : cell.number > 0 ? "$\\infty$" : "$-\\infty$";
  return latex_number(plain_text(cell, digits));
}

}  // namespace

namespace {

/// Columns of a table as they are printed, all of the same length, without the blanks between them.
struct PrintedColumn {
  std::vector<std::string> lines;
  std::size_t width = 0;
};

std::vector<PrintedColumn> printed_columns(const ResultTable& table, std::size_t rows, int digits) {
  std::vector<PrintedColumn> columns;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    PrintedColumn column;
    column.lines.push_back(table.columns[k].heading);
    for (std::size_t i = 0; i < rows; ++i) {
      const ResultCell& cell = table.rows[i][k];
      column.lines.push_back(cell.kind == CellKind::nothing ? "-" : plain_text(cell, digits));
    }
    for (const std::string& line : column.lines) column.width = std::max(column.width, width_of(line));
    for (std::string& line : column.lines) line = padded(line, column.width, has_texts(table, k));
    columns.push_back(std::move(column));
  }
  return columns;
}

constexpr std::size_t gap = 2;

std::size_t width_of(const std::vector<PrintedColumn>& columns) {
  std::size_t width = 0;
  for (const PrintedColumn& column : columns) width += gap + column.width;
  return width;
}

/// Columns beside each other.
std::string block_text(const std::vector<const PrintedColumn*>& columns) {
  std::string text;
  for (std::size_t i = 0; i < columns.front()->lines.size(); ++i) {
    std::string line;
    for (const PrintedColumn* column : columns) line += std::string(gap, ' ') + column->lines[i];
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string as_text(const ResultTable& table, const TextLimits& limits) {
  if (table.rows.empty()) return table.title + "\n  none\n";
  constexpr int digits = 6, fewer_digits = 4;
  const std::size_t rows = std::min(table.rows.size(), limits.rows);
  std::vector<PrintedColumn> columns = printed_columns(table, rows, digits);
  if (width_of(columns) > limits.columns) columns = printed_columns(table, rows, fewer_digits);
  std::string text = table.title + "\n";
  for (std::size_t k = 0; k < columns.size();) {
    std::vector<const PrintedColumn*> block;
    std::size_t width = 0;
    if (k > 0) {
      text += "\n";
      for (std::size_t key = 0; key < std::min(table.keys, k); ++key) {
        block.push_back(&columns[key]);
        width += gap + columns[key].width;
      }
    }
    const std::size_t before = block.size();
    for (; k < columns.size(); ++k) {
      width += gap + columns[k].width;
      if (width > limits.columns && block.size() > before) break;
      block.push_back(&columns[k]);
    }
    text += block_text(block);
  }
  if (rows < table.rows.size()) text += fmt::format("  and {} more (--all)\n", table.rows.size() - rows);
  return text;
}

std::string as_csv(const ResultTable& table) {
  std::vector<std::string> cells;
  for (const TableColumn& column : table.columns) cells.push_back(column.key);
  std::string csv = csv_line(cells);
  for (const auto& row : table.rows) {
    cells.clear();
    for (const ResultCell& cell : row) cells.push_back(plain_text(cell, 0));
    csv += csv_line(cells);
  }
  return csv;
}

Json as_json(const ResultTable& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json object = Json::object();
    for (std::size_t k = 0; k < row.size(); ++k) {
      Json& value = object[table.columns[k].key];
      if (row[k].kind == CellKind::count) value = row[k].count;
      if (row[k].kind == CellKind::number && std::isfinite(row[k].number)) value = row[k].number;
      if (row[k].kind == CellKind::text) value = row[k].text;
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

std::string as_latex(const ResultTable& table) {
  std::string alignment, header;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    alignment += has_texts(table, k) ? 'l' : 'r';
    header += (k > 0 ? " & " : "") + escaped_for_latex(table.columns[k].heading);
  }
  std::string latex = fmt::format(
      "\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\begin{{tabular}}{{{}}}\n    \\toprule\n    {} \\\\\n"
      "    \\midrule\n",
      escaped_for_latex(table.title), alignment, header);
  for (const auto& row : table.rows) {
    std::string line;
    for (const ResultCell& cell : row) line += (line.empty() ? "    " : " & ") + latex_cell(cell);
    latex += line + " \\\\\n";
  }
  return latex + "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n";
}

}  // namespace lagnet
