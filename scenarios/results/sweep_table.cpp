#include "scenarios/results/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/swept_columns.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

constexpr std::array levels{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

/// "to_1e-4_s".
std::string column_of_level(std::size_t k) { return fmt::format("to_1e-{}_s", k + 1); }

/// What a line of sweep.csv has of a point's progress.csv: its header and last row, empty cells where there is no row,
/// and the simulated time of the row from which on it stays at or below each level of relative_error.
struct ProgressFacts {
  std::vector<std::string> columns, cells;
  std::array<std::string, levels.size()> reached_s;
};
ProgressFacts progress_facts(const fs::path& progress) {
  RecordedCsv records(progress);
  ProgressFacts facts{.columns = records.header, .cells = {}, .reached_s = {}};
  const auto place_of = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(facts.columns, name) - facts.columns.begin());
  };
  const std::size_t error = place_of("relative_error"), seconds = place_of("simulated_s");
  for (std::vector<std::string> cells; records.next(cells);) {
    double value = 0;
    if (std::max(error, seconds) < cells.size() && parse_real(cells[error], value) == nullptr)
      for (std::size_t k = 0; k < levels.size(); ++k) {
        if (!(value <= levels[k]))
          facts.reached_s[k].clear();
        else if (facts.reached_s[k].empty())
          facts.reached_s[k] = cells[seconds];
      }
    facts.cells.swap(cells);
  }
  facts.cells.resize(facts.columns.size());
  return facts;
}

/// What sweep.csv says of a point, from its files, so that it does not matter when they were written: the cells of the
/// columns that were known by then, in the file's own form, since a sweep may have very many points.
struct PointFacts {
  std::string cells;
  std::size_t columns = 0;
  std::array<std::string, levels.size()> reached_s;
};

/// Adds columns that no point before has had.
PointFacts facts_of_point(const fs::path& folder, std::vector<std::string>& columns) {
  PointFacts facts;
  std::vector<std::string> cells(columns.size());
  const auto add = [&](const std::string& column, const std::string& value) {
    const auto place = static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin());
    if (place == columns.size()) {
      columns.push_back(column);
      cells.emplace_back();
    }
    cells[place] = value;
  };
  if (error_of_point(folder)) {
    add("stop", "error");
    add("trace_hash", "");
  } else {
    const Json summary = parse_json(read_file(folder / "summary.json"));
    add("stop", summary["stop"]["reason"].get<std::string>());
    add("trace_hash", summary["trace_hash"].get<std::string>());
    ProgressFacts progress = progress_facts(folder / "progress.csv");
    for (std::size_t k = 0; k < progress.columns.size(); ++k) add(progress.columns[k], progress.cells[k]);
    facts.reached_s = std::move(progress.reached_s);
  }
  facts.cells = csv_line(cells);
  facts.cells.pop_back();  // the end of the line
  facts.columns = cells.size();
  return facts;
}

/// A line of the file.
std::string line_of_point(const std::vector<std::string>& values, const PointFacts& facts, std::size_t columns,
                          const std::vector<std::size_t>& reached) {
  std::string line = csv_line(values);
  line.back() = ',';
  line += facts.cells;
  line.append(columns - facts.columns, ',');
  for (const std::size_t level : reached) line += ',' + facts.reached_s[level];
  return line + '\n';
}

}  // namespace

void write_sweep_table(const fs::path& file, const std::vector<SweepPoint>& points,
                       const std::vector<std::string>& names, const std::vector<fs::path>& folders) {
  std::vector<std::string> header{"point", "folder"}, columns, labels;
  for (const SweepPoint& point : points) labels.push_back(label_of(point.file.document));
  const bool has_labels = std::ranges::any_of(labels, [](const std::string& label) { return !label.empty(); });
  if (has_labels) header.push_back("label");
  std::vector<PointFacts> facts;
  facts.reserve(folders.size());
  for (const fs::path& folder : folders) facts.push_back(facts_of_point(folder, columns));
  std::vector<std::size_t> reached;
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (std::ranges::any_of(facts, [&](const PointFacts& of_point) { return !of_point.reached_s[k].empty(); }))
      reached.push_back(k);
  std::vector<std::string> last = columns;
  for (const std::size_t k : reached) last.push_back(column_of_level(k));
  std::vector<std::string> taken = header;
  taken.insert(taken.end(), {"label", "stop", "trace_hash"});
  taken.insert(taken.end(), last.begin(), last.end());
  std::vector<PointValues> values;
  for (const SweepPoint& point : points) values.push_back(point.values);
  const std::vector<SweptColumn> swept = swept_columns(values, taken);
  for (const SweptColumn& column : swept) header.push_back(column.name);
  header.insert(header.end(), last.begin(), last.end());

  std::ofstream table = open_for_writing(file);
  table << csv_line(header);
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<std::string> cells{names[i], "./" + names[i]};
    if (has_labels) cells.push_back(labels[i]);
    for (const SweptColumn& column : swept) cells.push_back(column.cells[i]);
    table << line_of_point(cells, facts[i], columns.size(), reached);
  }
  close_written(table, file);
}

}  // namespace lagnet
