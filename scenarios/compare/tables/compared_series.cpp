#include "scenarios/compare/tables/compared_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/document.hpp"

namespace lagnet {

namespace {

/// What a run minimizes, and over which data. Equal for runs whose objectives can be compared; those of another seed
/// may have drawn other data. Files are left out where they are compared `by_content`.
Json problem_of(const RecordedRun& run, bool by_content) {
  Json rooted = rooted_scenario(run);
  if (by_content)
    for (const Json& input : inputs_in(run.summary))
      rooted[Json::json_pointer(Document(input).text("/pointer"))] = "a file";
  return {{"data", Document(rooted).at("/data")}, {"problem", Document(rooted).at("/problem")}};
}

/// The first file with data that two runs have read with different contents; "" if there is none.
std::string data_difference(const RecordedRun& a, const RecordedRun& b) {
  const auto data_of = [](const RecordedRun& run) {
    Json data = Json::array();
    for (const Json& input : inputs_in(run.summary))
      if (Document(input).text("/pointer").starts_with("/data/")) data.push_back(input);
    return data;
  };
  const auto difference = input_difference(data_of(a), data_of(b));
  return difference ? fmt::format("{} in {}", sentence(*difference), b.folder.string()) : "";
}

}  // namespace

CostOfRun ComparedRun::cost(const std::string& column, double level) const {
  const std::vector<double>&costs = recorded_column(*recorded, column), &rounds = recorded_column(*recorded, "round");
  const LevelRows& rows = levels.at(level);
  CostOfRun found;
  if (rows.touched) found.touched = costs[*rows.touched];
  if (!rows.there) return found;
  found.there = costs[*rows.there];
  // With a row for each round nothing happened between two of them.
  const bool is_exact = !rows.before || (has_rows_of_rounds && rounds[*rows.there] == rounds[*rows.before] + 1);
  found.before = is_exact ? found.there : costs[*rows.before];
  return found;
}

std::optional<double> ComparedRun::paid(const std::string& column, double level) const {
  const double there = cost(column, level).there;
  return std::isfinite(there) ? std::optional(there) : std::nullopt;
}

bool ComparedRun::ended_on_arrival(double level) const {
  const LevelRows& rows = levels.at(level);
  return rows.before && *rows.there + 1 == recorded->progress.rows();
}

std::optional<double> ComparedRun::last(std::string_view column) const {
  const auto* values = recorded->progress.find(column);
  return values && !values->empty() ? std::optional(values->back()) : std::nullopt;
}

const ComparedRun* ComparedSeries::find(std::uint64_t seed) const {
  const auto at = std::ranges::find(runs, seed, &ComparedRun::seed);
  return at == runs.end() ? nullptr : &*at;
}

std::vector<std::pair<std::size_t, std::size_t>> common_seeds(const ComparedSeries& first,
                                                              const ComparedSeries& second) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t i = 0; i < first.runs.size(); ++i)
    if (const ComparedRun* other = second.find(first.runs[i].seed)) places.emplace_back(i, other - second.runs.data());
  return places;
}

CostsOfSeeds costs_of_seeds(const ComparedSeries& first, const ComparedSeries& second, double to,
                            const std::string& currency) {
  constexpr double never = std::numeric_limits<double>::infinity();
  CostsOfSeeds costs;
  for (const auto& [i, j] : common_seeds(first, second)) {
    costs.first.push_back(first.runs[i].paid(currency, to).value_or(never));
    costs.second.push_back(second.runs[j].paid(currency, to).value_or(never));
  }
  return costs;
}

namespace {

ComparedRun compared_run(const RecordedRun& run, std::size_t place, const CompareOptions& options) {
  const Document scenario(run.scenario), summary(run.summary);
  ComparedRun made{.recorded = &run,
                   .place = place,
                   .seed = run.seed(),
                   .status = summary.text("/status"),
                   .ended_by = summary.text("/stop/reason", "?"),
                   .has_rows_of_rounds = !scenario.has("/record/every_s") && !scenario.has("/record/every_updates")};
  for (const double level : options.to)
    made.levels.emplace(level, level_rows(run, options.metric, level, options.rising));
  return made;
}

}  // namespace

std::vector<ComparedSeries> compared_series(const std::vector<const RecordedRun*>& runs,
                                            const CompareOptions& options) {
  std::vector<ComparedSeries> series;
  const auto has_inputs = [](const RecordedRun* run) { return !inputs_in(run->summary).empty(); };
  const bool by_content = std::ranges::all_of(runs, has_inputs);  // not of runs under way
  const RecordedRun& first = *runs.front();
  const Json problem = problem_of(first, by_content);
  for (std::size_t place = 0; place < runs.size(); ++place) {
    const RecordedRun& run = *runs[place];
    std::string difference = first_difference(problem, problem_of(run, by_content), "in " + run.folder.string());
    if (difference.empty() && by_content) difference = data_difference(first, run);
    if (!difference.empty())
      throw OutputError(fmt::format("{}: expected runs over the same data and problem, found others: {}",
                                    first.folder.string(), difference));
    auto own = std::ranges::find(series, run.series, &ComparedSeries::name);
    if (own == series.end()) own = series.insert(series.end(), {.name = run.series, .runs = {}, .curves = {}});
    if (const ComparedRun* same = own->find(run.seed()))
      throw OutputError(fmt::format("{}: expected runs that differ, found the scenario and seed of {}",
                                    run.folder.string(), same->recorded->folder.string()));
    own->runs.push_back({.recorded = &run, .place = place, .seed = run.seed(), .status = "", .ended_by = ""});
  }
  for (ComparedSeries& one : series) {
    std::ranges::sort(one.runs, {}, &ComparedRun::seed);
    for (ComparedRun& run : one.runs) {
      one.curves.push_back(recorded_curve(*run.recorded, options.against, options.metric));
      run = compared_run(*run.recorded, run.place, options);
    }
  }
  return series;
}

bool have_column(const std::vector<ComparedSeries>& measured, std::string_view column) {
  const auto has = [column](const ComparedRun& run) {
    const auto last = run.last(column);
    return last && !std::isnan(*last);
  };
  return std::ranges::all_of(measured, [&](const ComparedSeries& one) { return std::ranges::all_of(one.runs, has); });
}

std::vector<const ComparedRun*> runs_of(const std::vector<ComparedSeries>& measured) {
  std::vector<const ComparedRun*> all;
  for (const ComparedSeries& one : measured)
    for (const ComparedRun& run : one.runs) all.push_back(&run);
  std::ranges::sort(all, {}, &ComparedRun::place);
  return all;
}

}  // namespace lagnet
