#include "scenarios/export/export_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

#include "scenarios/compare/tables/run_values.hpp"
#include "scenarios/export/database.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/format/result_columns.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/agent_link_csv.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "scenarios/results/swept_columns.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

template <class Row>
void add_counts(const ResultColumns<Row>& columns, std::map<std::string_view, ColumnType>& types) {
  for (const auto& column : columns)
    types[column.name] =
        std::holds_alternative<std::int64_t>(column.value(Row{})) ? ColumnType::integer : ColumnType::real;
}

/// Of a column of progress.csv, agents.csv or links.csv; what methods and metrics add are real numbers.
ColumnType type_of_column(std::string_view column) {
  static const auto types = [] {
    std::map<std::string_view, ColumnType> made;
    add_counts(columns_before_metrics(), made);
    add_counts(columns_after_metrics(), made);
    add_counts(agent_columns(), made);
    add_counts(link_columns(), made);
    for (const std::string_view name : text_columns) made[name] = ColumnType::text;
    return made;
  }();
  const auto known = types.find(column);
  return known == types.end() ? ColumnType::real : known->second;
}

template <class Number>
std::optional<Number> read_number(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// A text that is no number stays one, so that nothing of a file is lost.
DatabaseCell cell_of_text(const std::string& text, ColumnType type) {
  if (text.empty()) return {};
  if (type == ColumnType::text) return text;
  if (type == ColumnType::integer)
    if (const auto whole = read_number<std::int64_t>(text)) return *whole;
  if (const auto real = read_number<double>(text)) return *real;
  return text;
}

DatabaseCell cell_of_json(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_boolean()) return std::int64_t{value.get<bool>()};
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return text_or_json(value);
}

ColumnType type_of(const Json& value) {
  if (value.is_number_integer() || value.is_boolean()) return ColumnType::integer;
  return value.is_string() || value.is_structured() ? ColumnType::text : ColumnType::real;
}

class Export {
 public:
  Export(Database& database, const std::function<void(std::int64_t)>& tell)
      : points_(database, "points"),
        rows_(database, "rows"),
        agents_(database, "agents"),
        links_(database, "links"),
        tell_(tell) {
    for (const char* column : {"folder", "label", "algorithm", "topology"}) points_.column(column, ColumnType::text);
    for (const char* column : {"agents", "seed"}) points_.column(column, ColumnType::integer);
    for (const char* column : {"status", "stop", "error"}) points_.column(column, ColumnType::text);
    for (DatabaseTable* table : {&rows_, &agents_, &links_}) table->column("point", ColumnType::integer);
  }

  void add(const RecordedRun& run) {
    const std::int64_t id = ++exported_.points;
    std::vector<DatabaseCell> cells{id};
    const auto set = [&](const std::string& column, const Json& value) { put(cells, column, value); };
    const Document scenario(run.scenario), summary(run.summary);
    set("folder", run.folder.string());
    if (const std::string label = label_of(run.scenario); !label.empty()) set("label", label);
    for (const std::string section : {"algorithm", "topology"}) {
      const Json called = as_called(scenario.at("/" + section));
      set(section, Document(called).at("/kind"));
    }
    set("agents", summary.at("/topology/agents"));
    set("seed", scenario.at("/seed"));
    set("status", summary.at("/status"));
    for (const auto& [column, pointer] :
         {std::pair("stop", "/stop/reason"), std::pair("round", "/stop/round"),
          std::pair("simulated_s", "/stop/simulated_s"), std::pair("trace_hash", "/trace_hash"),
          std::pair("objective_start", "/objective_start"), std::pair("optimum", "/optimum/value")})
      set(column, summary.at(pointer));
    if (summary.has("/runtime")) set("runtime", summary.at("/runtime"));
    for (const auto& [key, value] : summary.at("/totals").items())
      if (value.is_primitive()) set(key, value);
    set("scenario", run.scenario);
    points_.add(cells);
    PointValues& values = values_.emplace_back();
    for (const auto& [pointer, value] : run.point) values.emplace_back(pointer, simple_value(run.scenario, pointer));
    exported_.rows += add_table(run.folder / "progress.csv", id, rows_);
    exported_.agents += add_table(run.folder / "agents.csv", id, agents_);
    exported_.links += add_table(run.folder / "links.csv", id, links_);
    tell();
  }

  void add_broken(const fs::path& folder, const std::string& why) {
    std::vector<DatabaseCell> cells{++exported_.points};
    put(cells, "folder", folder.string());
    put(cells, "stop", "error");
    put(cells, "error", why);
    points_.add(cells);
    values_.emplace_back();
    tell();
  }

  Exported finish() {
    std::vector<std::string> keys{"algorithm", "topology", "agents", "seed"};
    std::vector<std::string> taken;
    for (const std::string& column : points_.columns())
      if (std::ranges::find(keys, column) == keys.end()) taken.push_back(column);
    for (const SweptColumn& swept : swept_columns(values_, taken)) {
      if (points_.has(swept.name)) continue;  // what every point has says the same
      keys.push_back(swept.name);
      const std::size_t place = points_.column(swept.name, ColumnType::any);
      for (std::size_t i = 0; i < swept.cells.size(); ++i)
        if (!swept.cells[i].empty()) points_.change(static_cast<std::int64_t>(i) + 1, place, swept.cells[i]);
    }
    for (const std::string& key : keys) points_.add_index({key});
    rows_.add_index({"point"});
    agents_.add_index({"point"});
    links_.add_index({"point"});
    return exported_;
  }

 private:
  void put(std::vector<DatabaseCell>& cells, const std::string& column, const Json& value) {
    const std::size_t place = points_.column(column, type_of(value));
    if (cells.size() <= place) cells.resize(place + 1);
    cells[place] = cell_of_json(value);
  }

  /// A file that the run has not adds nothing.
  static std::int64_t add_table(const fs::path& file, std::int64_t point, DatabaseTable& table) {
    if (!fs::exists(file)) return 0;
    RecordedCsv records(file);
    std::vector<std::size_t> places;
    std::vector<ColumnType> types;
    for (const std::string& column : records.header) {
      types.push_back(type_of_column(column));
      places.push_back(table.column(column, types.back()));
    }
    std::int64_t added = 0;
    std::vector<DatabaseCell> cells(table.columns().size());
    for (std::vector<std::string> texts; records.next(texts); ++added) {
      cells[0] = std::monostate();  // SQLite numbers the rows
      cells[1] = point;
      for (std::size_t k = 0; k < texts.size(); ++k) cells[places[k]] = cell_of_text(texts[k], types[k]);
      table.add(cells);
    }
    return added;
  }

  void tell() const {
    constexpr std::int64_t every = 100;
    if (tell_ && exported_.points % every == 0) tell_(exported_.points);
  }

  DatabaseTable points_, rows_, agents_, links_;
  const std::function<void(std::int64_t)>& tell_;
  Exported exported_;
  std::vector<PointValues> values_;  // of each point
};

/// The tables that an export replaces; others in its database are the user's.
const std::vector<std::string> own_tables{"points", "rows", "agents", "links", "facts"};

/// Throws OutputError unless nothing would be lost but tables of an earlier export. Says whether there is one.
bool has_earlier_export(const fs::path& file, bool replaces) {
  const auto refuse = [&](const char* expected, const char* found) {
    throw OutputError(fmt::format("{}: expected {}, found {}", file.string(), expected, found));
  };
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return false;
  if (!fs::is_regular_file(file, ignored))
    refuse("a new file or an SQLite database", fs::is_directory(file, ignored) ? "a folder" : "something else");
  if (fs::is_empty(file, ignored)) return false;
  std::string begin(16, '\0');
  open_regular_file(file).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (!begin.starts_with("SQLite format 3")) refuse("a new file or an SQLite database", "something else");
  if (!Database::is_own(file) && !replaces)
    refuse("a new file or an earlier export", "another database; choose another file, or pass --replace");
  const fs::path log = file.string() + "-wal";
  if (fs::exists(log, ignored) && !fs::is_empty(log, ignored))
    refuse("a database that no other program has open", "one with changes that are not written yet");
  return Database::is_own(file);
}

Exported fill(Database& database, const std::vector<fs::path>& folders, const std::vector<std::string>& where,
              const std::function<void(std::int64_t)>& tell) {
  std::vector<KeyValue> values;
  for (const std::string& text : where) values.push_back(key_value(text, "where"));
  DatabaseTable facts(database, "facts");
  facts.column("key", ColumnType::text);
  facts.column("value", ColumnType::text);
  facts.add({std::monostate(), "lagnet_version", std::string(version())});
  for (const fs::path& folder : folders) facts.add({std::monostate(), "folder", folder.string()});
  Export exporting(database, tell);
  visit_recorded_runs(
      folders, values.empty() ? WantedPoint() : may_have(values),
      {.complete =
           [&](RecordedRun&& run) {
             const auto has_it = [&](const KeyValue& value) { return has_value(run.scenario, value); };
             if (std::ranges::all_of(values, has_it)) exporting.add(run);
           },
       .broken = [&](const fs::path& point, const std::string& why) { exporting.add_broken(point, why); }});
  const Exported exported = exporting.finish();
  if (exported.points == 0)
    throw OutputError(where.empty()
                          ? fmt::format("{}: expected a run, found none", folders.front().string())
                          : fmt::format("where: expected a run with {}, found none", fmt::join(where, " and ")));
  return exported;
}

}  // namespace

Exported export_runs(const std::vector<fs::path>& folders, const std::vector<std::string>& where, const fs::path& file,
                     const std::function<void(std::int64_t)>& tell, bool replaces) {
  const bool has_earlier = has_earlier_export(file, replaces);
  const fs::path partial = partial_of(file);
  std::error_code ignored;
  fs::remove(partial, ignored);
  const Unfinished unfinished(partial);
  try {
    Database database(partial);
    if (has_earlier && !replaces) database.copy(file, own_tables);
    const Exported exported = fill(database, folders, where, tell);
    database.close();
    Commit commit(file);
    fs::rename(partial, file);
    commit.done();
    return exported;
  } catch (const fs::filesystem_error& error) {
    fs::remove(partial, ignored);
    throw OutputError(fmt::format("{}: cannot be written: {}", file.string(), error.code().message()), error.code());
  } catch (const OutputError&) {
    fs::remove(partial, ignored);
    throw;
  }
}

}  // namespace lagnet
