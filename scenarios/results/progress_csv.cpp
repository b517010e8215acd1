#include "scenarios/results/progress_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/results/agent_link_csv.hpp"

namespace lagnet {

namespace {

/// Calls take(value) for every value of a row, in the order of progress_columns().
template <class Take>
void for_each_value(const Row& row, const Take& take) {
  for (const auto& column : columns_before_metrics()) std::visit(take, column.value(row));
  for (const std::optional<double>& metric : row.metrics) take(metric);
  for (const auto& column : columns_after_metrics()) std::visit(take, column.value(row));
}

/// The shortest text that reads back as the same number; empty if there is none, as pandas expects of a missing value.
std::string text(std::int64_t count) { return fmt::format("{}", count); }
std::string text(double x) { return fmt::format("{}", x); }
std::string text(std::optional<double> x) { return x ? text(*x) : ""; }

/// The number that such a text is in JSON, which knows neither nan nor inf: a whole number without an exponent is an
/// integer.
Json json(std::int64_t count) { return count; }
Json json(double x) {
  constexpr double least_with_exponent = 1e16;
  if (!std::isfinite(x)) return nullptr;
  const bool is_whole = std::trunc(x) == x && std::abs(x) < least_with_exponent;
  return is_whole ? Json(static_cast<std::int64_t>(x)) : Json(x);
}
Json json(std::optional<double> x) { return x ? json(*x) : Json(nullptr); }

/// A cell of progress.csv: runs that diverged write inf and nan, too.
double recorded_number(const std::string& text, const std::string& column, const RecordedCsv& records) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  static const std::map<std::string, double> special{
      {"", nan}, {"nan", nan}, {"-nan", nan}, {"inf", inf}, {"-inf", -inf}};
  if (const auto known = special.find(text); known != special.end()) return known->second;
  double number = nan;
  if (const char* expected = parse_real(text, number))
    records.refuse(fmt::format("{} or nothing in {}", expected, column), shown_token(text));
  return number;
}

}  // namespace

std::vector<std::string> progress_cells(const Row& row) {
  std::vector<std::string> cells;
  for_each_value(row, [&cells](const auto& number) { cells.push_back(text(number)); });
  return cells;
}

Json progress_numbers(const Row& row) {
  Json numbers = Json::array();
  for_each_value(row, [&numbers](const auto& number) { numbers.push_back(json(number)); });
  return numbers;
}

ProgressFile::ProgressFile(const Experiment& experiment, const std::filesystem::path& folder)
    : path_(folder / "progress.csv"), file_(open_for_writing(path_)) {
  append_to(file_, path_, csv_line(progress_columns(experiment)));
}

void ProgressFile::add(const Row& row) {
  if (failure_) return;
  try {
    append_to(file_, path_, csv_line(progress_cells(row)));
  } catch (const OutputError&) {
    failure_ = std::current_exception();
  }
}

void ProgressFile::close() {
  if (failure_) std::rethrow_exception(failure_);
  close_written(file_, path_);
}

ProgressTable read_progress(const std::filesystem::path& path) {
  RecordedCsv records(path);
  ProgressTable table;
  std::vector<std::size_t> places;  // of the columns of numbers
  for (std::size_t k = 0; k < records.header.size(); ++k) {
    const std::string& name = records.header[k];
    if (std::ranges::find(text_columns, name) != text_columns.end()) continue;
    places.push_back(k);
    table.columns.push_back(name);
  }
  table.values.resize(table.columns.size());
  table.empty.resize(table.columns.size());
  for (std::vector<std::string> cells; records.next(cells);)
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::string& cell = cells[places[k]];
      table.values[k].push_back(recorded_number(cell, table.columns[k], records));
      table.empty[k].push_back(cell.empty());
    }
  return table;
}

}  // namespace lagnet
