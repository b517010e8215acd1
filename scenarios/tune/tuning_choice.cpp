#include "scenarios/tune/tuning_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/results/sweep_table.hpp"
#include "scenarios/tune/gray_relational.hpp"
#include "scenarios/tune/tuning_metrics.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

constexpr double no_metric = std::numeric_limits<double>::quiet_NaN();

/// A run that is to be judged: why it is no choice, or "", and its rows.
struct JudgedRun {
  std::string problem;
  ProgressTable rows;
};
JudgedRun judged_run(const fs::path& folder) {
  JudgedRun run;
  if (!error_of_point(folder)) run.rows = read_progress(folder / "progress.csv");
  run.problem = why_not_chosen(folder, run.rows);
  return run;
}

double value_of(TuningMetric metric, const ProgressTable& rows) {
  switch (metric) {
    case TuningMetric::seconds_per_round:
      return seconds_per_round(rows);
    case TuningMetric::final_loss:
      return final_loss(rows);
    case TuningMetric::test_accuracy:
      return best_accuracy(rows);
    case TuningMetric::volatility:
      return volatility(rows);
    case TuningMetric::rounds_to_descend:
      return rounds_to_descend(rows);
  }
  return no_metric;
}

/// The graded metrics; `judged.outcome` says why there are none.
void measure(const Tuning& tuning, std::size_t candidate, const std::vector<fs::path>& folders, const JudgedRun& own,
             TunedCandidate& judged) {
  const std::vector<double> latencies = tuning.options.latencies();
  std::vector<double> times;
  for (std::size_t k = 0; k < latencies.size(); ++k) {
    const std::size_t point = tuning.delayed[candidate][k];
    const JudgedRun run = point == tuning.own[candidate].front() ? own : judged_run(folders[point]);
    if (judged.outcome.empty() && !run.problem.empty())
      judged.outcome = fmt::format("at latency {}: {}", latencies[k], run.problem);
    times.push_back(seconds_per_round(run.rows));
  }
  std::size_t timed = 0;
  for (const auto& [kind, name] : tuning.metrics) {
    const bool at_latency = kind == TuningMetric::seconds_per_round && !times.empty();
    judged.metrics.push_back(at_latency ? times[timed++] : value_of(kind, own.rows));
    if (judged.outcome.empty() && !std::isfinite(judged.metrics.back())) judged.outcome = name + " not finite";
  }
}

/// The median of those runs that have the number; nothing if none has.
std::optional<double> median_of(const std::vector<JudgedRun>& runs, std::string_view column) {
  std::vector<double> values;
  for (const JudgedRun& run : runs)
    if (const auto number = last_number(run.rows, column)) values.push_back(*number);
  return values.empty() ? std::nullopt : std::optional(median(std::move(values)));
}

TunedCandidate judge_one(const Tuning& tuning, std::size_t candidate, const std::vector<fs::path>& folders) {
  TunedCandidate judged;
  std::vector<JudgedRun> own;
  for (const std::size_t point : tuning.own[candidate]) own.push_back(judged_run(folders[point]));
  for (const JudgedRun& run : own)
    if (judged.outcome.empty()) judged.outcome = run.problem;
  judged.relative_error = median_of(own, "relative_error");
  judged.relative_loss = median_of(own, "relative_loss");
  if (const auto* losses = own.front().rows.find("objective"); losses && !losses->empty())
    judged.last_loss = losses->back();
  for (const double level : tuning.levels) {
    std::vector<double> costs;
    for (const JudgedRun& run : own) {
      const double cost = cost_of_level(run.rows, tuning.options.cost, level);
      costs.push_back(run.problem.empty() ? cost : std::numeric_limits<double>::infinity());
    }
    judged.costs.push_back(median(std::move(costs)));
  }
  measure(tuning, candidate, folders, own.front(), judged);
  if (judged.outcome.empty()) judged.outcome = "ok";
  return judged;
}

/// Ranks by the costs of the deciding level.
void rank_by_cost(const Tuning& tuning, std::vector<TunedCandidate>& judged) {
  const auto level = deciding_level(tuning, judged);
  const auto column = level ? std::ranges::find(tuning.levels, *level) - tuning.levels.begin() : 0;
  const auto merit = [&](const TunedCandidate& one) {
    constexpr double never = std::numeric_limits<double>::infinity();
    return std::tuple(level ? one.costs[static_cast<std::size_t>(column)] : never, one.relative_error.value_or(never),
                      one.last_loss);
  };
  std::vector<TunedCandidate*> eligible;
  for (TunedCandidate& one : judged)
    if (one.outcome == "ok") eligible.push_back(&one);
  std::ranges::stable_sort(eligible, {}, [&](const TunedCandidate* one) { return merit(*one); });
  for (std::size_t k = 0; k < eligible.size(); ++k) eligible[k]->rank = static_cast<std::int64_t>(k) + 1;
}

/// Grades and ranks of the front.
void grade(const Tuning& tuning, std::vector<TunedCandidate>& judged) {
  std::vector<std::size_t> eligible;
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (judged[i].outcome != "ok") continue;
    eligible.push_back(i);
    rows.push_back(judged[i].metrics);
  }
  if (rows.empty()) return;
  GrayOptions options{.zeta = tuning.options.zeta};
  for (std::size_t j = 0; j < tuning.metrics.size(); ++j)
    if (tuning.metrics[j].first == TuningMetric::test_accuracy) options.maximized.push_back(j);
  const GrayGrades graded = gray_relational(rows, options);
  for (std::size_t k = 0; k < graded.kept.size(); ++k) judged[eligible[graded.kept[k]]].grade = graded.grades[k];
  for (std::size_t k = 0; k < graded.ranked.size(); ++k)
    judged[eligible[graded.ranked[k]]].rank = static_cast<std::int64_t>(k) + 1;
}

/// "1e-4" for a power of ten, which reads better than 0.0001 and 1e-04.
std::string level_text(double level) {
  const std::string power = fmt::format("1e{:.0f}", std::round(std::log10(level)));
  return std::stod(power) == level ? power : fmt::format("{:g}", level);
}

/// "to_1e-4_s": what a level costs.
std::string column_of_level(const Tuning& tuning, double level) {
  const char* const unit = tuning.options.cost == TuningCost::simulated_s ? "s"
                           : tuning.options.cost == TuningCost::bytes     ? "bytes"
                                                                          : "rounds";
  return fmt::format("to_{}_{}", level_text(level), unit);
}

/// The shortest text that reads back as the same number; empty if there is none.
std::string number_text(std::optional<double> x) { return x && !std::isnan(*x) ? fmt::format("{}", *x) : ""; }

}  // namespace

std::vector<TunedCandidate> judge(const Tuning& tuning, const std::vector<fs::path>& folders) {
  std::vector<TunedCandidate> judged;
  for (std::size_t i = 0; i < tuning.candidates.size(); ++i) judged.push_back(judge_one(tuning, i, folders));
  if (tuning.options.choose == TuningChoice::gray)
    grade(tuning, judged);
  else
    rank_by_cost(tuning, judged);
  return judged;
}

std::optional<double> deciding_level(const Tuning& tuning, const std::vector<TunedCandidate>& judged) {
  for (std::size_t k = tuning.levels.size(); k-- > 0;)
    if (std::ranges::any_of(judged,
                            [k](const auto& one) { return one.outcome == "ok" && std::isfinite(one.costs[k]); }))
      return tuning.levels[k];
  return std::nullopt;
}

std::optional<std::size_t> chosen_candidate(const std::vector<TunedCandidate>& judged) {
  for (std::size_t i = 0; i < judged.size(); ++i)
    if (judged[i].rank == 1) return i;
  return std::nullopt;
}

std::string candidates_table(const Tuning& tuning, const std::vector<TunedCandidate>& judged) {
  const bool has_relative_loss =
      std::ranges::any_of(judged, [](const auto& one) { return one.relative_loss.has_value(); });
  const bool has_grades = tuning.options.choose == TuningChoice::gray;
  std::vector<std::string> header{"candidate"};
  for (const auto& [pointer, value] : tuning.candidates.front()) header.push_back(pointer);
  for (const double level : tuning.levels) header.push_back(column_of_level(tuning, level));
  for (const auto& [kind, name] : tuning.metrics) header.push_back(name);
  header.push_back("relative_error");
  if (has_relative_loss) header.push_back("relative_loss");
  header.push_back("outcome");
  if (has_grades) header.insert(header.end(), {"front", "grade"});
  header.insert(header.end(), {"rank", "folder"});
  std::string table = csv_line(header);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const TunedCandidate& one = judged[i];
    std::vector<std::string> cells{fmt::format("{}", i)};
    for (const auto& [pointer, value] : tuning.candidates[i]) cells.push_back(text_or_json(value));
    for (const double cost : one.costs) cells.push_back(std::isfinite(cost) ? number_text(cost) : "");
    for (const double metric : one.metrics) cells.push_back(number_text(metric));
    cells.push_back(number_text(one.relative_error));
    if (has_relative_loss) cells.push_back(number_text(one.relative_loss));
    cells.push_back(one.outcome);
    if (has_grades) cells.insert(cells.end(), {one.grade ? "true" : "false", number_text(one.grade)});
    cells.push_back(one.rank ? fmt::format("{}", *one.rank) : "");
    cells.push_back(tuning.names[tuning.own[i].front()]);
    table += csv_line(cells);
  }
  return table;
}

namespace {

/// A candidate's values against their cost: {"candidate", "values", "cost", "relative_error", "outcome"}.
Json tried(const Tuning& tuning, std::size_t candidate, const TunedCandidate& judged, std::optional<double> level) {
  Json values = Json::object();
  for (const auto& [pointer, value] : tuning.candidates[candidate]) values[pointer] = value;
  std::optional<double> cost;
  for (std::size_t k = 0; k < tuning.levels.size(); ++k)
    if (tuning.levels[k] == level) cost = judged.costs[k];
  return {{"candidate", candidate},
          {"values", std::move(values)},
          {"cost", number_or_null(cost)},
          {"relative_error", number_or_null(judged.relative_error)},
          {"outcome", judged.outcome}};
}

}  // namespace

Json facts_of_tuning(const Tuning& tuning, const std::vector<TunedCandidate>& judged,
                     const std::string& scenario_checksum) {
  const auto is_ok = [](const TunedCandidate& one) { return one.outcome == "ok"; };
  const auto is_on_front = [](const TunedCandidate& one) { return one.grade.has_value(); };
  const bool has_grades = tuning.options.choose == TuningChoice::gray;
  Json facts{{"lagnet_version", version()},
             {"scenario_crc32", scenario_checksum},
             {"candidates", judged.size()},
             {"eligible", std::ranges::count_if(judged, is_ok)},
             {"choose", spelled(tuning.options.choose)},
             {"remarks", as_json(tuning.remarks)},
             {"chosen", nullptr}};
  if (has_grades) facts["on_front"] = std::ranges::count_if(judged, is_on_front);
  const auto level = deciding_level(tuning, judged);
  if (!has_grades) facts["to"] = number_or_null(level);
  if (!has_grades) facts["cost"] = spelled(tuning.options.cost);
  for (std::size_t i = 0; !has_grades && i < judged.size(); ++i)
    facts["tried"].push_back(tried(tuning, i, judged[i], level));
  const auto chosen = chosen_candidate(judged);
  if (!chosen) return facts;
  const TunedCandidate& best = judged[*chosen];
  Json values = Json::object(), metrics = Json::object();
  for (const auto& [pointer, value] : tuning.candidates[*chosen]) values[pointer] = value;
  for (std::size_t j = 0; j < best.metrics.size(); ++j)
    metrics[tuning.metrics[j].second] = number_or_null(best.metrics[j]);
  for (std::size_t k = 0; k < tuning.levels.size(); ++k)
    metrics[column_of_level(tuning, tuning.levels[k])] = number_or_null(best.costs[k]);
  facts["chosen"] = {{"candidate", *chosen},
                     {"folder", tuning.names[tuning.own[*chosen].front()]},
                     {"values", std::move(values)},
                     {"metrics", std::move(metrics)},
                     {"relative_error", number_or_null(best.relative_error)},
                     {"relative_loss", number_or_null(best.relative_loss)}};
  if (has_grades) facts["chosen"]["grade"] = number_or_null(best.grade);
  return facts;
}

}  // namespace lagnet
