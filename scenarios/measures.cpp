#include "scenarios/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/result_folder.hpp"

namespace lagnet {

namespace {

bool is_pointer(const std::string& text) { return text.starts_with('/'); }

bool is_range(const Json& value) {
  if (!value.is_object() || value.empty()) return false;
  return std::ranges::all_of(value.items(), [](const auto& end) {
    return (end.key() == "at_least" || end.key() == "at_most") && end.value().is_number();
  });
}

/// Numbers by their values: 64 and 64.0 are the same.
bool is_same(const Json& found, const Json& wanted) { return found == wanted; }

bool fits(const Json& found, const Json& wanted) {
  if (found.is_null()) return false;
  if (is_range(wanted)) {
    if (!found.is_number()) return false;
    const double x = found.get<double>();
    return x >= wanted.value("at_least", -std::numeric_limits<double>::infinity()) &&
           x <= wanted.value("at_most", std::numeric_limits<double>::infinity());
  }
  if (wanted.is_array() && !found.is_array())
    return std::ranges::any_of(wanted, [&](const Json& one) { return is_same(found, one); });
  if (!wanted.is_object() || !found.is_object()) return is_same(found, wanted);
  // Of an object, the members that are named: the scenario's has every default beside them.
  return std::ranges::all_of(wanted.items(), [&](const auto& member) {
    return found.contains(member.key()) && fits(found[member.key()], member.value());
  });
}

/// The row that is asked for, or nothing.
std::optional<std::size_t> row_of(const RecordedRun& run, const MeasureOptions& options) {
  const std::size_t rows = run.progress.rows();
  if (rows == 0) throw OutputError(fmt::format("{}: expected a recorded round, found none", run.folder.string()));
  if (!options.first.is_null()) {
    const auto wanted = options.first.begin();
    const auto& values = recorded_column(run, wanted.key());
    const double level = wanted.value().get<double>();
    const auto reached = std::ranges::find_if(values, [level](double x) { return x <= level; });
    if (reached == values.end()) return std::nullopt;
    return static_cast<std::size_t>(reached - values.begin());
  }
  if (options.at.is_null()) return rows - 1;
  const auto wanted = options.at.begin();
  const auto& values = recorded_column(run, wanted.key());
  const double most = wanted.value().get<double>();
  std::optional<std::size_t> last;
  for (std::size_t row = 0; row < rows; ++row)
    if (values[row] <= most) last = row;
  if (!last)
    throw OutputError(fmt::format("{}: expected a row with {} at most {}, found none", run.folder.string(),
                                  wanted.key(), shown(wanted.value())));
  return last;
}

/// Without what replications differ in.
Json without_seed(const RecordedRun& run) {
  Json scenario = run.scenario;
  scenario.erase("seed");
  return scenario;
}

}  // namespace

bool MeasureOptions::is_row(const Json& row) {
  if (row.is_null()) return true;
  return row.is_object() && row.size() == 1 && row.begin().value().is_number();
}

bool MeasureOptions::is_where(const Json& where) {
  return where.is_object() && std::ranges::all_of(where.items(), [](const auto& of) { return is_pointer(of.key()); });
}

Json scenario_member(const RecordedRun& run, const std::string& pointer) {
  const Json::json_pointer at(pointer);
  return run.scenario.contains(at) ? run.scenario.at(at) : Json();
}

std::vector<const RecordedRun*> matching(const std::vector<const RecordedRun*>& all, const Json& where) {
  std::vector<const RecordedRun*> found;
  std::ranges::copy_if(all, std::back_inserter(found), [&](const RecordedRun* run) {
    return std::ranges::all_of(where.items(),
                               [&](const auto& of) { return fits(scenario_member(*run, of.key()), of.value()); });
  });
  return found;
}

double measured(const RecordedRun& run, const MeasureOptions& options) {
  const auto& values = recorded_column(run, options.metric);
  const auto row = row_of(run, options);
  if (!row) return std::numeric_limits<double>::infinity();
  if (std::isnan(values[*row]))
    throw OutputError(fmt::format("{}: expected a number in {} of row {}, found none",
                                  (run.folder / "progress.csv").string(), options.metric, *row + 1));
  return values[*row];
}

double measured(const std::vector<const RecordedRun*>& runs, const MeasureOptions& options) {
  if (runs.empty()) throw OutputError(fmt::format("expected runs with {}, found none", options.where.dump()));
  if (options.combine == Combine::seeds)
    for (const RecordedRun* run : runs)
      if (without_seed(*run) != without_seed(*runs.front()))
        throw OutputError(fmt::format("expected runs with {} that differ in their seeds alone, found {} and {}",
                                      options.where.dump(), runs.front()->label, run->label));
  std::vector<double> values;
  for (const RecordedRun* run : runs) values.push_back(measured(*run, options));
  if (options.combine == Combine::least) return std::ranges::min(values);
  if (options.combine == Combine::largest) return std::ranges::max(values);
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::string shown_measure(double value) { return std::isinf(value) ? "never" : fmt::format("{:.4g}", value); }

}  // namespace lagnet
