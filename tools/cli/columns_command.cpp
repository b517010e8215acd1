#include "tools/cli/columns_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "scenarios/words/layout.hpp"
#include "tools/console/printing.hpp"

namespace lagnet::tools {

namespace {

std::vector<std::string> table_names(const ColumnPlaces& places) {
  std::vector<std::string> names;
  for (const TableText* table : places.tables) names.emplace_back(table->name);
  return names;
}

std::string_view page_of(const ColumnPlaces& places) {
  return places.column->page.empty() ? places.tables.front()->page : places.column->page;
}

}  // namespace

Json column_json(const ColumnPlaces& places) {
  const ColumnText& column = *places.column;
  return {{"name", column.name},    {"summary", column.meaning}, {"fields", Json::array()},
          {"unit", column.unit},    {"formula", column.formula}, {"tables", table_names(places)},
          {"page", page_of(places)}};
}

std::string column_text(const ColumnPlaces& places, const Look& look) {
  constexpr std::size_t indent = 6;
  const ColumnText& column = *places.column;
  std::string text = wrapped(fmt::format("{} ({}): {}", column.name, comma_list(table_names(places)), column.meaning),
                             look.columns, 4);
  text = inked(column.name, Ink::bold, look.is_colored) + text.substr(column.name.size()) + "\n";
  for (const auto& [what, said] :
       {std::pair("unit", column.unit), std::pair("formula", column.formula), std::pair("page", page_of(places))})
    text += fmt::format("  {}\n{}\n", inked(what, Ink::green, look.is_colored),
                        set_in(std::string(said), indent, look.columns));
  return text;
}

int columns_command(const Console& console) {
  const Look look = look_of(STDOUT_FILENO);
  Json columns = Json::array(), tables = Json::array();
  std::string text = inked("columns", Ink::bold, look.is_colored) + "\n";
  for (const ColumnPlaces& places : all_columns()) {
    const ColumnText& column = *places.column;
    columns.push_back(column_json(places));
    columns.back()["kind"] = column.name;  // as other lists call it
    text += entry_line(column.name, column.meaning, look);
  }
  for (const TableText& table : table_texts()) {
    Json names = Json::array();
    for (const ColumnText& column : table.columns) names.push_back(column.name);
    tables.push_back({{"kind", table.name},
                      {"summary", table.meaning},
                      {"page", table.page},
                      {"columns", std::move(names)},
                      {"with", table.with}});
  }
  if (console.json)
    print_text(indented(Json{{"columns", std::move(columns)}, {"tables", std::move(tables)}}));
  else
    print_text(text);
  return 0;
}

}  // namespace lagnet::tools
