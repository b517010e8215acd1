#include "scenarios/run/row_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace lagnet {

namespace {

/// It says nothing, depends on the machine, and not every reader of tables takes "-nan" for a number.
void drop_sign_of_nan(std::optional<double>& number) {
  if (number && std::isnan(*number)) number = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

RowRecorder::RowRecorder(const Experiment& experiment, const RunOptions& options, const StopRules& rules,
                         RecordedWorld& world, Outcome& outcome)
    : experiment_(experiment), options_(options), rules_(rules), world_(world), outcome_(outcome) {
  const std::vector<std::string> metrics = metric_columns(experiment);
  metrics_ = metrics.size();
  if (!options.recorded) return;
  recorded_places_.push_back(options.recorded->progress.place_of("objective"));
  for (const std::string& name : metrics) recorded_places_.push_back(options.recorded->progress.place_of(name));
}

void RowRecorder::count(AgentId agent, Time at, Counts& counts) const {
  const Flops before = counts.total.flops;
  outcome_.ledger.add_at(agent, at, counts.total);
  counts.flops_per_agent_max = std::max(counts.flops_per_agent_max, counts.total.flops - before);
  if (!experiment_.costs.is_empty())
    counts.costs += experiment_.costs.of_run(agent, outcome_.ledger, world_.network(), at);
}

bool RowRecorder::looks_at_rounds() const {
  return std::ranges::any_of(rules_, [](const StopRule& rule) { return rule.ends_with_round != nullptr; });
}

bool RowRecorder::ends_with_round(Flops flops_per_agent_max) {
  bool ends = false;
  for (const auto& rule : rules_)
    if (rule.ends_with_round && rule.ends_with_round(flops_per_agent_max)) {
      if (world_.stop()) outcome_.stop = rule.reason;
      ends = true;
    }
  return ends;
}

bool RowRecorder::ends_with_updates(std::int64_t updates) {
  const auto& limit = experiment_.scenario.stop.updates;
  if (!limit || updates < *limit) return false;
  if (world_.stop()) outcome_.stop = StopReason::updates;
  return true;
}

void RowRecorder::count_staleness(std::int64_t age) {
  ++staleness_.uses;
  staleness_.sum += age;
  staleness_.largest = std::max(staleness_.largest, age);
}

Evaluation RowRecorder::evaluated(Round round, RoundReport parts) const {
  try {
    Evaluation value = experiment_.algorithm->evaluate(round, parts, outcome_.error_scale);
    value.iterate = in_order_of_data(experiment_, value.iterate);
    const auto recorded = experiment_.metrics.values(experiment_, value.iterate, value.objective, parts);
    value.metrics.insert(value.metrics.end(), recorded.begin(), recorded.end());
    return value;
  } catch (UserCodeError& error) {  // of no agent, although one of them has just reported
    error.is_of_agent = false;
    throw;
  }
}

bool RowRecorder::fill_in_recorded(Row& row) const {
  const ProgressTable& known = options_.recorded->progress;
  const std::vector<double>& rounds = *known.find("round");
  const auto at = std::ranges::lower_bound(rounds, static_cast<double>(row.round));
  if (at == rounds.end() || *at != static_cast<double>(row.round)) return false;
  const auto place = static_cast<std::size_t>(at - rounds.begin());
  row.objective = known.cell(recorded_places_[0], place);
  for (std::size_t k = 0; k < row.metrics.size(); ++k) row.metrics[k] = known.cell(recorded_places_[k + 1], place);
  return true;
}

bool RowRecorder::fill_in(Row& row, RoundReport parts) {
  if (options_.recorded) return fill_in_recorded(row);
  if (parts.empty()) return true;
  Evaluation value = evaluated(row.round, parts);
  row.objective = value.objective;
  row.is_finite = std::isfinite(value.objective) && value.iterate.allFinite() &&
                  std::ranges::all_of(value.metrics, [](const auto& one) { return !one || std::isfinite(*one); });
  row.metrics = std::move(value.metrics);
  outcome_.iterate = std::move(value.iterate);
  const auto& model_every = experiment_.scenario.record.model_every;
  if (model_every && row.round % *model_every == 0) outcome_.iterates.emplace_back(row.round, outcome_.iterate);
  return true;
}

void RowRecorder::add_row(Round round, const Counts& counts, RoundReport parts) {
  Row row{.round = round,
          .at = counts.at,
          .participants = counts.participants,
          .objective = {},
          .relative_error = {},
          .metrics = std::vector<std::optional<double>>(metrics_),
          .total = counts.total,
          .costs = counts.costs,
          .flops_per_agent_max = counts.flops_per_agent_max,
          .compute_utilization = compute_utilization(counts.total, outcome_.ledger.agents(), counts.at),
          .updates = counts.updates};
  if (!fill_in(row, parts)) {
    without_values_ = without_values_.value_or(round);
    world_.stop();
    return;
  }
  if (row.objective) row.relative_error = outcome_.error_scale.relative_error(*row.objective);
  if (staleness_.uses > 0) {
    row.staleness_mean = static_cast<double>(staleness_.sum) / static_cast<double>(staleness_.uses);
    row.staleness_max = static_cast<double>(staleness_.largest);
  }
  staleness_ = {};
  drop_sign_of_nan(row.objective);
  drop_sign_of_nan(row.relative_error);
  std::ranges::for_each(row.metrics, drop_sign_of_nan);
  outcome_.rows.push_back(row);
  if (options_.row) options_.row(row);
  stop_if_due(row);
}

void RowRecorder::stop_if_due(const Row& row) {
  for (const auto& rule : rules_) {
    if (!rule.ends_with_row || !rule.ends_with_row(row)) continue;
    outcome_.diverged |= rule.is_failure;
    if (rule.remark) outcome_.remarks.push_back(rule.remark(row));
    if (world_.stop()) outcome_.stop = rule.reason;
    return;
  }
}

}  // namespace lagnet
