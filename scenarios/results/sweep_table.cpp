#include "scenarios/results/sweep_table.hpp"

#include <algorithm>
#include <map>

#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/results/folder_damage.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// The header and the last row of a point's progress.csv, as its line of sweep.csv has them; empty cells where there is
/// no row.
struct LastRow {
  std::vector<std::string> columns, cells;
};
LastRow last_row(const fs::path& progress) {
  const std::string text = read_file(progress);
  DataDiagnostics problems(progress.string());
  CsvRecords records(text, ',', problems);
  LastRow row;
  records.next(row.columns);
  for (std::vector<std::string> cells; records.next(cells);) row.cells.swap(cells);
  row.cells.resize(row.columns.size());
  return row;
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
  const LastRow row = last_row(folder / "progress.csv");
  for (std::size_t k = 0; k < row.columns.size(); ++k) add(row.columns[k], row.cells[k]);
  return facts;
}

}  // namespace

std::string cell(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string sweep_table(const std::vector<SweepPoint>& points, const std::vector<std::string>& names,
                        const std::vector<fs::path>& folders) {
  std::vector<std::string> header{"point"}, columns, labels;
  for (const SweepPoint& point : points) labels.push_back(label_of(point.file.document));
  const bool has_labels = std::ranges::any_of(labels, [](const std::string& label) { return !label.empty(); });
  if (has_labels) header.push_back("label");
  for (const auto& [pointer, value] : points.front().values) header.push_back(pointer);
  std::vector<std::map<std::string, std::string>> facts;
  for (const fs::path& folder : folders) facts.push_back(facts_of_point(folder, columns));
  header.insert(header.end(), columns.begin(), columns.end());
  std::string table = csv_line(header);
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<std::string> cells{names[i]};
    if (has_labels) cells.push_back(labels[i]);
    for (const auto& [pointer, value] : points[i].values) cells.push_back(cell(value));
    for (const std::string& column : columns) cells.push_back(facts[i][column]);
    table += csv_line(cells);
  }
  return table;
}

}  // namespace lagnet
