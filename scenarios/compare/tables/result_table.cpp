#include "scenarios/compare/tables/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/files/csv_records.hpp"
#include "scenarios/words/layout.hpp"

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

/// The headings and the first rows as they are printed, behind an empty column that indents them.
TextRows printed_cells(const ResultTable& table, std::size_t rows, int digits) {
  TextRows lines{{""}};
  for (const TableColumn& column : table.columns) lines.front().push_back(column.heading);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string>& line = lines.emplace_back(1);
    for (const ResultCell& cell : table.rows[i])
      line.push_back(cell.kind == CellKind::nothing ? "-" : plain_text(cell, digits));
  }
  return lines;
}

}  // namespace

std::string as_text(const ResultTable& table, const TextLimits& limits) {
  const std::string title = table.title.empty() ? "" : table.title + "\n";
  if (table.rows.empty()) return title + "  none\n";
  constexpr int digits = 6, fewer_digits = 4;
  const std::size_t rows = std::min(table.rows.size(), limits.rows);
  TextRows cells = printed_cells(table, rows, digits);
  if (width_of(widths_of(cells)) > limits.columns) cells = printed_cells(table, rows, fewer_digits);
  const std::vector<std::size_t> widths = widths_of(cells);
  std::string text = title;
  for (std::size_t k = 1; k < widths.size();) {
    const std::size_t keys = k == 1 ? 1 : std::min(table.keys + 1, k);  // with the empty column
    if (k > 1) text += "\n";
    TextRows block;
    for (const auto& row : cells) block.emplace_back(row.begin(), row.begin() + std::ptrdiff_t(keys));
    std::vector<bool> is_left{true};
    for (std::size_t key = 1; key < keys; ++key) is_left.push_back(has_texts(table, key - 1));
    std::vector<std::size_t> taken(widths.begin(), widths.begin() + std::ptrdiff_t(keys));
    for (; k < widths.size(); ++k) {
      taken.push_back(widths[k]);
      if (width_of(taken) > limits.columns && taken.size() > keys + 1) break;
      for (std::size_t i = 0; i < cells.size(); ++i) block[i].push_back(cells[i][k]);
      is_left.push_back(has_texts(table, k - 1));
    }
    text += laid_out(block, is_left);
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
