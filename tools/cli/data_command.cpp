#include "tools/cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

#include "scenarios/json/document.hpp"
#include "scenarios/words/layout.hpp"
#include "scenarios/words/words.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"
#include "tools/flags/data_flag.hpp"
#include "tools/flags/preview.hpp"
#include "tools/flags/scenario_flags.hpp"

namespace lagnet::tools {

namespace {

constexpr std::size_t columns_shown = 40, texts_shown = 6;

std::string range_of(const PreviewedColumn& column) {
  return column.least <= column.most ? fmt::format("{:.6g} to {:.6g}", column.least, column.most) : "";
}

std::string values_of(const PreviewedColumn& column) {
  if (column.texts.empty() || column.recipe == "date") return range_of(column);
  return first_of(column.texts, texts_shown);
}

std::string columns_text(const std::vector<PreviewedColumn>& columns) {
  std::vector<std::vector<std::string>> rows{{"column", "use", "recipe", "values", "missing"}};
  for (const PreviewedColumn& column : columns) {
    if (rows.size() > columns_shown) break;
    const bool is_read = column.use != "ignored";
    rows.push_back({column.name, column.use, is_read ? column.recipe : "", is_read ? values_of(column) : "",
                    column.missing > 0 ? fmt::format("{}", column.missing) : ""});
  }
  std::string text = laid_out(rows, std::vector<bool>(rows.front().size(), true));
  if (columns.size() > columns_shown) text += fmt::format("and {} more columns\n", columns.size() - columns_shown);
  return text;
}

Json columns_json(const std::vector<PreviewedColumn>& columns) {
  Json list = Json::array();
  for (const PreviewedColumn& column : columns)
    list.push_back({{"name", column.name},
                    {"use", column.use},
                    {"recipe", column.recipe},
                    {"least", column.least <= column.most ? Json(column.least) : Json()},
                    {"most", column.least <= column.most ? Json(column.most) : Json()},
                    {"missing", column.missing},
                    {"texts", column.texts}});
  return list;
}

void print_preview(const std::string& file, const DataPreview& seen) {
  print_out("{}: {} samples", file, seen.samples);
  if (seen.problems.empty()) print_out(", {} features", seen.features);
  print_out("\n");
  if (!seen.label.empty()) print_out("label: {}; --label COLUMN chooses another one\n", seen.label);
  if (!seen.labels.empty()) print_out("labels: {}\n", seen.labels);
  print_out("\n{}", columns_text(seen.columns));
  for (const std::string& doubt : seen.doubts)
    print_text("\n" + wrapped("in doubt: " + doubt, terminal_columns(STDOUT_FILENO) - 1, 4) + "\n");
  if (!seen.problems.empty()) return;
  print_out("\n\"data\": {}\n", on_one_line(seen.section));
  print_out("next: lagnet ask --data {}\n", typed_file(file, seen.section));
}

/// Prints what would be read of a file: label, features, doubts, and the section "data" that reads it. `keys`:
/// KEY=VALUE of that section; `label`: the label's column, or "".
int data_command(const std::string& file, const std::vector<std::string>& keys, const std::string& label,
                 const Console& console) {
  std::string typed = file;
  for (const std::string& key : keys) typed += "\n" + key;
  const DataPreview seen = preview_data(typed, label);
  Json problems = Json::array();
  for (const Diagnostic& one : seen.problems)
    problems.push_back({{"where", place_of(one)}, {"expected", one.expected}, {"found", one.found}});
  if (console.json)
    print_text(indented({{"file", file},
                         {"samples", seen.samples},
                         {"features", seen.features},
                         {"label", seen.label},
                         {"labels", seen.labels},
                         {"distinct_labels", seen.distinct},
                         {"columns", columns_json(seen.columns)},
                         {"doubts", seen.doubts},
                         {"problems", problems},
                         {"proposals", seen.proposals},
                         {"data", seen.section}}));
  else if (!console.quiet)
    print_preview(file, seen);
  for (const Diagnostic& one : seen.problems) print_wrapped(sentence(one));
  return seen.problems.empty() ? 0 : 2;
}

}  // namespace

void add_data(CLI::App& app, Console& console) {
  struct Given {
    std::string file, label;
    std::vector<std::string> keys;
  };
  auto given = std::make_shared<Given>();
  auto* command = app.add_subcommand(
      "data", "Print what a run would read from a file: label, features, doubts, and the section data of a scenario");
  command->add_option("FILE", given->file, "file with samples (.csv, .libsvm, .mtx, .npy)")
      ->required()
      ->check(refuse_empty);
  command->add_option("KEYS", given->keys, "keys of the section data with their values, as in separator=semicolon");
  command->add_option("--label", given->label, "label's column, its name or number; by default the last one")
      ->option_text("COLUMN");
  command->callback(
      [given, &console] { console.exit_status = data_command(given->file, given->keys, given->label, console); });
}

}  // namespace lagnet::tools
