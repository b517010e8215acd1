#include "scenarios/run/stop_rules.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace lagnet {

namespace {

/// So many flops or bytes of all agents together.
StopRule budget(StopReason reason, EventKind kind, std::int64_t limit) {
  const auto is_spent = [limit, so_far = std::int64_t{0}](const SimEvent& what) mutable {
    return (so_far += what.amount) >= limit;
  };
  return {.reason = reason, .event_kind = kind, .ends_with_event = is_spent};
}

/// So much money for all messages together.
StopRule price_budget(double limit, const CostModel& costs) {
  const auto is_spent = [limit, &costs, so_far = 0.0](const SimEvent& what) mutable {
    return (so_far += costs.price(what.agent, what.peer, what.amount)) >= limit;
  };
  return {.reason = StopReason::price, .event_kind = EventKind::sent, .ends_with_event = is_spent};
}

/// An objective that is not finite, or above `factor` times that of the start.
StopRule divergence(double factor, double objective_start) {
  const auto is_divergent = [factor, objective_start](const Row& row) {
    const double limit = factor * objective_start;
    return !row.is_finite || (limit > 0 && row.objective.value_or(0) > limit);
  };
  const auto remark = [factor, objective_start](const Row& row) -> Remark {
    if (!row.is_finite)
      return {"diverged",
              {{"round", row.round}},
              fmt::format("diverged in round {}: objective, iterate or metric is not finite", row.round)};
    return {"diverged",
            {{"round", row.round}, {"objective", row.objective.value_or(0)}},
            fmt::format("diverged in round {}: the objective {:.6g} is above {:.6g}, stop.divergence_factor times that "
                        "of the start",
                        row.round, row.objective.value_or(0), factor * objective_start)};
  };
  return {.reason = StopReason::diverged, .ends_with_row = is_divergent, .remark = remark, .is_failure = true};
}

/// The row with which something has held in `rows` successive rows.
std::function<bool(const Row&)> for_rows(std::int64_t rows, std::function<bool(const Row&)> holds) {
  return [rows, holds = std::move(holds), so_far = std::int64_t{0}](const Row& row) mutable {
    so_far = holds(row) ? so_far + 1 : 0;
    return so_far >= rows;
  };
}

}  // namespace

StopRule metric_rule(const StopOptions& stop, std::size_t place, std::optional<double> central) {
  const StopMetricOptions& goal = stop.metric.value();
  const std::optional<double> least = goal.share_of_central ? *goal.share_of_central * central.value() : goal.at_least;
  const auto is_enough = [=, most = goal.at_most](const Row& row) {
    const std::optional<double>& value = row.metrics[place];
    return value && (least ? *value >= *least : *value <= *most);
  };
  return {.reason = StopReason::metric, .ends_with_row = for_rows(stop.stays_rows, is_enough)};
}

StopRules stop_rules(const StopOptions& stop, double objective_start, const CostModel& costs) {
  StopRules rules;
  if (stop.flops) rules.push_back(budget(StopReason::flops, EventKind::computed, *stop.flops));
  if (stop.bytes) rules.push_back(budget(StopReason::bytes, EventKind::sent, *stop.bytes));
  if (stop.price) rules.push_back(price_budget(*stop.price, costs));
  if (stop.flops_per_agent)
    rules.push_back({.reason = StopReason::flops_per_agent,
                     .ends_with_round = [limit = *stop.flops_per_agent](Flops flops) { return flops >= limit; }});
  rules.push_back(
      divergence(stop.divergence_factor.value_or(std::numeric_limits<double>::infinity()), objective_start));
  if (stop.relative_error)
    rules.push_back({.reason = StopReason::relative_error,
                     .ends_with_row = for_rows(stop.stays_rows, [target = *stop.relative_error](const Row& row) {
                       return row.relative_error && *row.relative_error <= target;
                     })});
  return rules;
}

}  // namespace lagnet
