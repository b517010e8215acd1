#include "scenarios/tune/tuning_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/json/json_numbers.hpp"
#include "scenarios/results/folder_damage.hpp"
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
  ProgressCurve curve;
};
JudgedRun judged_run(const fs::path& folder) {
  JudgedRun run;
  if (!error_of_point(folder)) run.curve = read_curve(folder / "progress.csv");
  run.problem = why_not_chosen(folder, run.curve);
  return run;
}

double value_of(TuningMetric metric, const ProgressCurve& curve) {
  switch (metric) {
    case TuningMetric::seconds_per_round:
      return seconds_per_round(curve);
    case TuningMetric::final_loss:
      return final_loss(curve);
    case TuningMetric::test_accuracy:
      return best_accuracy(curve);
    case TuningMetric::volatility:
      return volatility(curve);
    case TuningMetric::rounds_to_descend:
      return rounds_to_descend(curve);
  }
  return no_metric;
}

TunedCandidate judge_one(const Tuning& tuning, std::size_t candidate, const std::vector<fs::path>& folders) {
  TunedCandidate judged;
  const JudgedRun own = judged_run(folders[tuning.own[candidate]]);
  judged.outcome = own.problem;
  judged.relative_error = own.curve.relative_error;
  judged.relative_loss = own.curve.relative_loss;
  const std::vector<double>& latencies = tuning.options.latencies_s;
  std::vector<double> times;
  for (std::size_t k = 0; k < latencies.size(); ++k) {
    const std::size_t point = tuning.delayed[candidate][k];
    const JudgedRun run = point == tuning.own[candidate] ? own : judged_run(folders[point]);
    if (judged.outcome.empty() && !run.problem.empty())
      judged.outcome = fmt::format("at latency {}: {}", latencies[k], run.problem);
    times.push_back(seconds_per_round(run.curve));
  }
  std::size_t timed = 0;
  for (const auto& [kind, name] : tuning.metrics) {
    const bool at_latency = kind == TuningMetric::seconds_per_round && !times.empty();
    judged.metrics.push_back(at_latency ? times[timed++] : value_of(kind, own.curve));
    if (judged.outcome.empty() && !std::isfinite(judged.metrics.back())) judged.outcome = name + " not finite";
  }
  if (judged.outcome.empty()) judged.outcome = "ok";
  return judged;
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

/// The shortest text that reads back as the same number; empty if there is none.
std::string number_text(std::optional<double> x) { return x && !std::isnan(*x) ? fmt::format("{}", *x) : ""; }

}  // namespace

std::vector<TunedCandidate> judge(const Tuning& tuning, const std::vector<fs::path>& folders) {
  std::vector<TunedCandidate> judged;
  for (std::size_t i = 0; i < tuning.candidates.size(); ++i) judged.push_back(judge_one(tuning, i, folders));
  grade(tuning, judged);
  return judged;
}

std::optional<std::size_t> chosen_candidate(const std::vector<TunedCandidate>& judged) {
  for (std::size_t i = 0; i < judged.size(); ++i)
    if (judged[i].rank == 1) return i;
  return std::nullopt;
}

std::string candidates_table(const Tuning& tuning, const std::vector<TunedCandidate>& judged) {
  const bool has_relative_loss =
      std::ranges::any_of(judged, [](const auto& one) { return one.relative_loss.has_value(); });
  std::vector<std::string> header{"candidate"};
  for (const auto& [pointer, value] : tuning.candidates.front()) header.push_back(pointer);
  for (const auto& [kind, name] : tuning.metrics) header.push_back(name);
  header.push_back("relative_error");
  if (has_relative_loss) header.push_back("relative_loss");
  for (const char* name : {"outcome", "front", "grade", "rank", "folder"}) header.push_back(name);
  std::string table = csv_line(header);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const TunedCandidate& one = judged[i];
    std::vector<std::string> cells{fmt::format("{}", i)};
    for (const auto& [pointer, value] : tuning.candidates[i]) cells.push_back(cell(value));
    for (const double metric : one.metrics) cells.push_back(number_text(metric));
    cells.push_back(number_text(one.relative_error));
    if (has_relative_loss) cells.push_back(number_text(one.relative_loss));
    cells.push_back(one.outcome);
    cells.push_back(one.grade ? "true" : "false");
    cells.push_back(number_text(one.grade));
    cells.push_back(one.rank ? fmt::format("{}", *one.rank) : "");
    cells.push_back(tuning.names[tuning.own[i]]);
    table += csv_line(cells);
  }
  return table;
}

Json facts_of_tuning(const Tuning& tuning, const std::vector<TunedCandidate>& judged,
                     const std::string& scenario_checksum) {
  const auto is_ok = [](const TunedCandidate& one) { return one.outcome == "ok"; };
  const auto is_on_front = [](const TunedCandidate& one) { return one.grade.has_value(); };
  Json facts{{"lagnet_version", version()},
             {"scenario_crc32", scenario_checksum},
             {"candidates", judged.size()},
             {"eligible", std::ranges::count_if(judged, is_ok)},
             {"on_front", std::ranges::count_if(judged, is_on_front)},
             {"remarks", tuning.remarks},
             {"chosen", nullptr}};
  const auto chosen = chosen_candidate(judged);
  if (!chosen) return facts;
  const TunedCandidate& best = judged[*chosen];
  Json values = Json::object(), metrics = Json::object();
  for (const auto& [pointer, value] : tuning.candidates[*chosen]) values[pointer] = value;
  for (std::size_t j = 0; j < best.metrics.size(); ++j)
    metrics[tuning.metrics[j].second] = number_or_null(best.metrics[j]);
  facts["chosen"] = {{"candidate", *chosen},
                     {"folder", tuning.names[tuning.own[*chosen]]},
                     {"values", std::move(values)},
                     {"grade", number_or_null(best.grade)},
                     {"metrics", std::move(metrics)},
                     {"relative_error", number_or_null(best.relative_error)},
                     {"relative_loss", number_or_null(best.relative_loss)}};
  return facts;
}

}  // namespace lagnet
