#include "tools/cli/point_watchers.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "scenarios/estimate/count_work.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/words/layout.hpp"
#include "scenarios/words/words.hpp"
#include "sim/machine/allowance.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

namespace {

/// The last relative error of a run with this summary.json.
std::optional<double> last_error(const Json& summary) { return Document(summary).number("/last_row/relative_error"); }

/// One line of a finished run: what a user wants to know first. Time and counts are those of the whole run: one that
/// ends within a round, by a deadlock or a limit, has done more than its last row says.
std::string verdict(const Json& summary) {
  const Json stop = summary.at("stop"), totals = summary.at("totals");
  std::string line = summary.at("status") == "diverged"
                         ? "diverged"
                         : fmt::format("ended by {}", stop.at("reason").get<std::string>());
  line += summary.contains("last_row") ? fmt::format(" after {} rounds", stop.at("round").get<std::int64_t>())
                                       : std::string(" before a round was complete");
  line += fmt::format(", simulated {:.6g} s: ", stop.at("simulated_s").get<double>());
  if (const auto objective = Document(summary).number("/last_row/objective"))
    line += fmt::format("objective {:.9g}, ", *objective);
  if (const auto error = last_error(summary)) line += fmt::format("relative error {:.3e}, ", *error);
  const auto total = [&](const char* key) { return totals.at(key).get<std::int64_t>(); };
  return line + fmt::format("{} messages, {} bytes, {} flops, trace {}", total("messages_sent"), total("bytes_sent"),
                            total("flops"), summary.at("trace_hash").get<std::string>());
}

}  // namespace

PointWatcher::PointWatcher(const Console& console) : console_(console), bar_(console.quiet && !console.only_progress) {
  // For those who watch: what files and pipes get must not depend on how fast the machine is.
  if (console.quiet || !is_terminal(STDERR_FILENO)) return;
  until_first_row_.emplace("run", false, [](const std::string& line) { print_err("{}\n", line); });
  until_first_row_->step("the data, the graph and the optimum");
}

void PointWatcher::recorded(std::size_t point, const Row& row) {
  until_first_row_.reset();
  bar_.update(point, row);
}

void PointWatcher::planned(const Plan& plan) {
  plan_ = &plan;
  points_ = plan.points.size();
  values_ = told_values(plan.points);
  const auto saved = std::ranges::count_if(plan.values_from, [](const auto& from) { return from.point.has_value(); });
  const auto computed = plan.values_from.size() - static_cast<std::size_t>(saved);
  if (saved > 0 && !console_.quiet)
    print_err("{} computed, {} more retimed from their values\n", counted(computed, "point"), saved);
}

void PointWatcher::ended(std::size_t point) { bar_.finish(point); }

void PointWatcher::started(std::size_t point, const Experiment& experiment) {
  if (until_first_row_) until_first_row_->step("the first round");
  Remarks warnings = experiment.warnings;
  if (const auto why = missing_optimum(experiment.optimum.get())) warnings.push_back(*why);
  if (!warnings.empty()) bar_.clear();
  warn(point, warnings);
  bar_.start(point, plan_->points.size(), label(point), experiment.scenario.stop.rounds.value_or(0));
}

void PointWatcher::warned(std::size_t point, const Remark& what) {
  bar_.clear();
  warn(point, {what});
}

void PointWatcher::skipped(std::size_t point, const Json& summary) { bar_.skip(point, last_error(summary)); }

void PointWatcher::end() {
  until_first_row_.reset();
  bar_.clear();
  for (const auto& [kind, told] : told_warnings_)
    if (told.others > 0)
      print_wrapped(fmt::format("{}: warning{}: {}", counted(told.others, "more point"),
                                told.differ ? ", with other numbers" : "", told.warning));
}

std::string PointWatcher::label(std::size_t point) const {
  if (plan_->points[point].values.empty()) return "run";
  std::string label = fmt::format("{}/{}", point + 1, plan_->points.size());
  for (const auto& [pointer, value] : values_[point])
    label += pointer == label_pointer ? " " + value.get<std::string>() : fmt::format(" {}={}", pointer, shown(value));
  return label;
}

void PointWatcher::warn(std::size_t point, const Remarks& warnings) {
  if (console_.quiet) return;
  std::map<std::string, int> before;  // how many of a code this point has
  for (const auto& [code, numbers, text] : warnings) {
    const std::string kind = numbers.empty() || console_.verbose ? text : fmt::format("{} {}", code, before[code]++);
    const auto [seen, is_new] = told_warnings_.try_emplace(kind, Told{.warning = text});
    if (is_new) {
      print_wrapped(fmt::format("{}: warning: {}", label(point), text));
    } else {
      ++seen->second.others;
      seen->second.differ = seen->second.differ || seen->second.warning != text;
    }
  }
}

void PointTeller::planned(const Plan& plan) {
  PointWatcher::planned(plan);
  is_sweep_ = plan.is_sweep();
  if (!plan.is_sweep() || console_.json || console_.quiet || console_.verbose) return;
  table_.emplace(plan.points, line_columns(STDOUT_FILENO), takes_colors(STDOUT_FILENO));
  print_text(table_->header());
  flush_output();
}

void PointTeller::begins(Plan& plan, const std::vector<std::size_t>& left, const ExecuteOptions& options) {
  if (console_.quiet) return;
  // What all points took to be made, some of them take again.
  constexpr double at_most_s = 0.25;
  const double making_s = (processor_seconds() - began_) / static_cast<double>(plan.points.size());
  if (making_s > at_most_s) return;
  const EstimateOptions measuring{.clock = machine_seconds,
                                  .counting_s = 0.5,
                                  .measuring_s = 1,
                                  .sample_s = 0.3,
                                  .samples = 3,
                                  .counted = 8,
                                  .steps = 40'000,
                                  .is_prepared = true,
                                  .cores = usable_cores(),
                                  .settings = options.settings};
  std::vector<Scenario> scenarios;
  for (const std::size_t i : left)
    scenarios.push_back(plan.values_from[i].point ? without_numbers(plan.scenarios[i]) : plan.scenarios[i]);
  try {
    const std::string line = estimate_line(estimate(scenarios, plan.file.shown, plan.cache, measuring), measuring);
    if (!line.empty()) print_wrapped(line);
  } catch (const std::exception&) {
    // A point that fails says so itself, and is a result.
  }
}

void PointTeller::finished(std::size_t point, const Experiment& experiment, const Outcome& outcome) {
  PointWatcher::finished(point, experiment, outcome);
  Ended& ended = waiting_[point];
  ended.remarks = outcome.remarks;
  if (console_.json) {
    ended.summary = summary(experiment, outcome);
  } else if (table_) {
    ended.out = table_->line(point, result_of(summary(experiment, outcome), wanted(point)));
    // What the line says already.
    std::erase_if(ended.remarks, [](const Remark& remark) {
      return remark.code == tolerance_missed_code || remark.code == worse_than_start_code;
    });
    if (missed_tolerance(outcome.rows, wanted(point))) ++missed_;
  } else if (!console_.quiet) {
    ended.out = sentence(point, summary(experiment, outcome));
  }
  if (!outcome.deadlock.empty()) ended.err = fmt::format("{}: {}", label(point), outcome.deadlock);
  tell_in_order();
}

void PointTeller::failed(std::size_t point, const std::string& why) {
  PointWatcher::failed(point, why);
  if (table_) waiting_[point].out = table_->line(point, result_of(Json(), wanted(point)));
  waiting_[point].err = fmt::format("{}: {}", label(point), why);
  tell_in_order();
}

void PointTeller::skipped(std::size_t point, const Json& summary) {
  ++kept_;
  PointWatcher::skipped(point, summary);
  Ended& ended = waiting_[point];
  if (console_.json && !summary.is_null()) ended.summary = summary;
  if (table_) {
    const PointResult result = result_of(summary, wanted(point));
    if (result.is_missed) ++missed_;
    ended.out = table_->line(point, result);
  } else if (!plan().is_sweep() && !summary.is_null() && !console_.quiet && !console_.json) {
    ended.out = sentence(point, summary);
  } else if (console_.verbose && !console_.quiet && !console_.json) {
    ended.out = fmt::format("{}: finished before\n", label(point));
  }
  tell_in_order();
}

void PointTeller::left_out(std::size_t point) {
  PointWatcher::left_out(point);
  waiting_[point] = {};
  tell_in_order();
}

std::string PointTeller::sentence(std::size_t point, const Json& summary) const {
  const std::string text = fmt::format("{}: {}", label(point), verdict(summary));
  const std::size_t columns = line_columns(STDOUT_FILENO);
  return (columns == any_columns ? text : wrapped(text, columns, 4)) + "\n";
}

void PointTeller::end() {
  PointWatcher::end();
  if (console_.quiet) return;
  if (kept_ > 0 && is_sweep_) print_wrapped(fmt::format("{} of {} points were finished before", kept_, points()));
  if (missed_ > 0)
    print_wrapped(fmt::format("{} of {} points did not reach stop.relative_error; --verbose says how far each came",
                              missed_, points()));
}

void PointTeller::tell_in_order() {
  for (; !waiting_.empty() && waiting_.begin()->first == told_; ++told_) {
    const Ended ended = waiting_.extract(told_).mapped();
    print_text(ended.out);
    warn(told_, ended.remarks);
    if (!ended.err.empty()) print_wrapped(ended.err);
    if (!ended.summary.is_null()) summaries_.push_back(ended.summary);
  }
  flush_output();  // a sweep's lines are read while it goes on
  show_progress();
}

}  // namespace lagnet::tools
