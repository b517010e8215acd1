#include "scenarios/results/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/swept_columns.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

constexpr std::array levels{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

/// "to_1e-4_s".
std::string column_of_level(std::size_t k) { return fmt::format("to_1e-{}_s", k + 1); }

/// What a line of sweep.csv has of a point's progress.csv: its header and last row, empty cells where there is no row,
/// and the simulated time of the first row at or below each level of relative_error that it gets to.
struct ProgressFacts {
  std::vector<std::string> columns, cells;
  std::array<std::string, levels.size()> reached_s;
};
ProgressFacts progress_facts(const fs::path& progress) {
  const std::string text = read_file(progress);
  DataDiagnostics problems(progress.string());
  CsvRecords records(text, ',', problems);
  ProgressFacts facts;
  records.next(facts.columns);
  const auto place_of = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(facts.columns, name) - facts.columns.begin());
  };
  const std::size_t error = place_of("relative_error"), seconds = place_of("simulated_s");
  for (std::vector<std::string> cells; records.next(cells);) {
    double value = 0;
    if (std::max(error, seconds) < cells.size() && parse_real(cells[error], value) == nullptr)
      for (std::size_t k = 0; k < levels.size(); ++k)
        if (value <= levels[k] && facts.reached_s[k].empty()) facts.reached_s[k] = cells[seconds];
    facts.cells.swap(cells);
  }
  facts.cells.resize(facts.columns.size());
  return facts;
}

/// What sweep.csv says of a point, from its files, so that it does not matter when they were written.
std::map<std::string, std::string> facts_of_point(const fs::path& folder, std::vector<std::string>& columns) {
  std::map<std::string, std::string> facts;
  const auto add = [&](const std::string& column, const std::string& value) {
    facts[column] = value;
    if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
  };
  if (error_of_point(folder)) {
    add("stop", "error");
    add("trace_hash", "");
    return facts;
  }
  const Json summary = Json::parse(read_file(folder / "summary.json"));
  add("stop", summary["stop"]["reason"].get<std::string>());
  add("trace_hash", summary["trace_hash"].get<std::string>());
  const ProgressFacts progress = progress_facts(folder / "progress.csv");
  for (std::size_t k = 0; k < progress.columns.size(); ++k) add(progress.columns[k], progress.cells[k]);
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (!progress.reached_s[k].empty()) facts[column_of_level(k)] = progress.reached_s[k];
  return facts;
}

}  // namespace

std::string cell(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string sweep_table(const std::vector<SweepPoint>& points, const std::vector<std::string>& names,
                        const std::vector<fs::path>& folders) {
  std::vector<std::string> header{"point", "folder"}, columns, labels;
  for (const SweepPoint& point : points) labels.push_back(label_of(point.file.document));
  const bool has_labels = std::ranges::any_of(labels, [](const std::string& label) { return !label.empty(); });
  if (has_labels) header.push_back("label");
  std::vector<std::map<std::string, std::string>> facts;
  for (const fs::path& folder : folders) facts.push_back(facts_of_point(folder, columns));
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (std::ranges::any_of(facts, [&](const auto& of_point) { return of_point.contains(column_of_level(k)); }))
      columns.push_back(column_of_level(k));
  std::vector<std::string> taken = header;
  taken.insert(taken.end(), {"label", "stop", "trace_hash"});
  taken.insert(taken.end(), columns.begin(), columns.end());
  std::vector<PointValues> values;
  for (const SweepPoint& point : points) values.push_back(point.values);
  const std::vector<SweptColumn> swept = swept_columns(values, taken);
  for (const SweptColumn& column : swept) header.push_back(column.name);
  header.insert(header.end(), columns.begin(), columns.end());
  std::string table = csv_line(header);
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<std::string> cells{names[i], "./" + names[i]};
    if (has_labels) cells.push_back(labels[i]);
    for (const SweptColumn& column : swept) cells.push_back(column.cells[i]);
    for (const std::string& column : columns) cells.push_back(facts[i][column]);
    table += csv_line(cells);
  }
  return table;
}

}  // namespace lagnet
