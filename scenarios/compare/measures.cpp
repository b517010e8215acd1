#include "scenarios/compare/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <ranges>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/document.hpp"

namespace lagnet {

namespace {

using Runs = std::vector<const RecordedRun*>;

/// Numbers are compared by their values: 64 and 64.0 are the same.
bool fits(const Json& found, const Json& wanted) {
  if (found.is_null()) return false;
  if (is_number_range(wanted)) return found.is_number() && is_in_range(found.get<double>(), wanted);
  if (wanted.is_array() && !found.is_array()) return std::ranges::find(wanted, found) != wanted.end();
  if (!wanted.is_object() || !found.is_object()) return found == wanted;
  // Of an object, the members that are named: the scenario's has every default beside them.
  return std::ranges::all_of(wanted.items(), [&](const auto& member) {
    return found.contains(member.key()) && fits(found[member.key()], member.value());
  });
}

/// What a row selector says as a range: a plain number is an upper bound, and one may be a share of the last value.
Json level_of(const Json& wanted, const std::vector<double>& values) {
  if (wanted.is_number()) return {{"at_most", wanted}};
  Json level = wanted;
  const bool of_last = level.value("of_last", false);
  level.erase("of_last");
  if (of_last && std::isnan(values.back())) throw OutputError("expected a number in the last row, found none");
  for (Json& end : level) end = end.get<double>() * (of_last ? values.back() : 1);
  return level;
}

/// A number of summary.json. Throws OutputError if there is none.
double of_summary(const RecordedRun& run, const std::string& pointer) {
  const Document summary(run.summary);
  if (const auto number = summary.number(pointer)) return *number;
  throw OutputError(fmt::format("{}: expected a number at {}, found {}", (run.folder / "summary.json").string(),
                                pointer, summary.has(pointer) ? shown(summary.at(pointer)) : "nothing"));
}

/// Where a number is taken from: the columns of a run, or the means of several runs', and how it is called.
struct MeasuredCurve {
  std::function<std::vector<double>(const std::string& metric)> series;
  std::string name;
};

MeasuredCurve curve_of(const RecordedRun& run) {
  return {[&run](const std::string& metric) { return recorded_series(run, metric); }, run.folder.string()};
}

/// Throws OutputError if they have not the same rounds.
MeasuredCurve mean_curve(const Runs& runs) {
  for (const RecordedRun* run : runs)
    if (recorded_column(*run, "round") != recorded_column(*runs.front(), "round"))
      throw OutputError(fmt::format("expected runs with the same recorded rounds, found others in {} than in {}",
                                    run->folder.string(), runs.front()->folder.string()));
  const auto mean = [runs](const std::string& metric) {
    std::vector<double> sums = recorded_series(*runs.front(), metric);
    for (const RecordedRun* run : runs | std::views::drop(1))
      std::ranges::transform(sums, recorded_series(*run, metric), sums.begin(), std::plus());
    for (double& value : sums) value /= static_cast<double>(runs.size());
    return sums;
  };
  return {mean, fmt::format("the mean of {} runs from {} on", runs.size(), runs.front()->folder.string())};
}

/// The row that is asked for, or nothing.
std::optional<std::size_t> row_of(const MeasuredCurve& curve, const MeasureOptions& options) {
  const std::size_t rows = curve.series("round").size();
  if (rows == 0) throw OutputError(fmt::format("{}: expected a recorded round, found none", curve.name));
  if (!options.first.is_null()) {
    const auto wanted = options.first.begin();
    const std::vector<double> values = curve.series(wanted.key());
    const Json level = level_of(wanted.value(), values);
    const auto reached = std::ranges::find_if(values, [&](double x) { return is_in_range(x, level); });
    if (reached == values.end()) return std::nullopt;
    return static_cast<std::size_t>(reached - values.begin());
  }
  if (options.at.is_null()) return rows - 1;
  const auto wanted = options.at.begin();
  const std::vector<double> values = curve.series(wanted.key());
  const Json level = level_of(wanted.value(), values);
  std::optional<std::size_t> last;
  for (std::size_t row = 0; row < rows; ++row)
    if (is_in_range(values[row], level)) last = row;
  if (!last)
    throw OutputError(fmt::format("{}: expected a row with {} {}, found none", curve.name, wanted.key(),
                                  wanted.value().is_number() ? "at most " + shown(wanted.value()) : level.dump()));
  return last;
}

/// Without what replications differ in.
Json without_seed(const RecordedRun& run) {
  Json scenario = run.scenario;
  scenario.erase("seed");
  return scenario;
}

/// Throws OutputError if they are more than replications.
void check_differ_in_seed_alone(const Runs& runs, const Json& where) {
  for (const RecordedRun* run : runs)
    if (without_seed(*run) != without_seed(*runs.front()))
      throw OutputError(fmt::format("expected runs with {} that differ in their seeds alone, found {} and {}",
                                    where.dump(), runs.front()->label, run->label));
}

/// The factor by which a number changes a round between two rows. Throws OutputError if the first is not before.
double rate(const MeasuredCurve& curve, const std::vector<double>& values, std::size_t row, double from) {
  const std::vector<double> rounds = curve.series("round");
  const auto first = std::ranges::find(rounds, from);
  if (first == rounds.end() || *first >= rounds[row])
    throw OutputError(fmt::format("{}: expected a row of round {:.0f} before that of round {:.0f}, found none",
                                  curve.name, from, rounds[row]));
  const double before = values[static_cast<std::size_t>(first - rounds.begin())];
  if (!(std::abs(before) > 0))
    throw OutputError(fmt::format("{}: expected a number other than 0 in round {:.0f} to take the rate from, found {}",
                                  curve.name, from, std::isnan(before) ? "none" : "0"));
  return std::pow(values[row] / before, 1 / (rounds[row] - from));
}

double measured(const MeasuredCurve& curve, const MeasureOptions& options) {
  const std::vector<double> values = curve.series(options.metric);
  const auto row = row_of(curve, options);
  if (!row) return std::numeric_limits<double>::infinity();
  const std::size_t count = std::min(static_cast<std::size_t>(options.mean_of_rows), *row + 1);
  double sum = 0;
  for (std::size_t k = *row + 1 - count; k <= *row; ++k) {
    if (std::isnan(values[k]))
      throw OutputError(
          fmt::format("{}: expected a number in {} of row {}, found none", curve.name, options.metric, k + 1));
    sum += values[k];
  }
  if (options.rate_from_round) return rate(curve, values, *row, static_cast<double>(*options.rate_from_round));
  return sum / static_cast<double>(count);
}

}  // namespace

bool is_in_range(double x, const Json& range) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  return x >= range.value("at_least", -inf) && x <= range.value("at_most", inf);
}

std::vector<double> recorded_series(const RecordedRun& run, const std::string& metric) {
  if (metric != "excess" || run.progress.find(metric)) return recorded_column(run, metric);
  std::vector<double> values = recorded_column(run, "objective");
  const double optimum = of_summary(run, "/optimum/value");
  for (double& value : values) value -= optimum;
  return values;
}

std::vector<const RecordedRun*> matching(const std::vector<const RecordedRun*>& all, const Json& where) {
  std::vector<const RecordedRun*> found;
  std::ranges::copy_if(all, std::back_inserter(found), [&](const RecordedRun* run) {
    const Document scenario(run->scenario);
    return std::ranges::all_of(where.items(), [&](const auto& of) { return fits(scenario.at(of.key()), of.value()); });
  });
  return found;
}

double measured(const std::vector<const RecordedRun*>& runs, const MeasureOptions& options) {
  if (runs.empty()) throw OutputError(fmt::format("expected runs with {}, found none", options.where.dump()));
  const bool of_curve = options.combine == Combine::mean_curve;
  if (options.combine == Combine::seeds || of_curve) check_differ_in_seed_alone(runs, options.where);
  const bool of_summaries = is_pointer(options.metric);
  if (of_curve && !of_summaries) return measured(mean_curve(runs), options);
  std::vector<double> values;
  for (const RecordedRun* run : runs)
    values.push_back(of_summaries ? of_summary(*run, options.metric) : measured(curve_of(*run), options));
  if (options.combine == Combine::least) return std::ranges::min(values);
  if (options.combine == Combine::largest) return std::ranges::max(values);
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

MeasureOptions with_levels(const MeasureOptions& options, const std::vector<const RecordedRun*>& all) {
  MeasureOptions made = options;
  for (Json* row : {&made.at, &made.first}) {
    if (row->is_null() || !row->front().is_object()) continue;
    Json& level = row->front();
    const Json others = level.value("of_last", Json());
    if (!others.is_object()) continue;
    level.erase("of_last");
    MeasureOptions ends{.metric = row->begin().key(), .where = options.where, .combine = options.combine};
    ends.where.update(others);
    const double last = measured(matching(all, ends.where), ends);
    for (Json& end : level) end = end.get<double>() * last;
  }
  return made;
}

std::string shown_measure(double value) {
  return value == std::numeric_limits<double>::infinity() ? "never" : fmt::format("{:.4g}", value);
}

}  // namespace lagnet
