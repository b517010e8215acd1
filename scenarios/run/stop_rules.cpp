#include "scenarios/run/stop_rules.hpp"

#include <fmt/format.h>

#include <limits>

namespace lagnet {

namespace {

/// So many flops or bytes of all agents together.
StopRule budget(StopReason reason, EventKind kind, std::int64_t limit) {
  const auto is_spent = [limit, so_far = std::int64_t{0}](const SimEvent& what) mutable {
    return (so_far += what.amount) >= limit;
  };
  return {.reason = reason, .event_kind = kind, .ends_with_event = is_spent};
}

/// An objective that is not finite, or above `factor` times that of the start.
StopRule divergence(double factor) {
  const auto is_divergent = [factor](const RecordedRow& recorded) {
    const double limit = factor * recorded.objective_start;
    return !recorded.is_finite || (limit > 0 && recorded.row.objective.value_or(0) > limit);
  };
  const auto remark = [factor](const RecordedRow& recorded) {
    if (!recorded.is_finite)
      return fmt::format("diverged in round {}: objective, iterate or metric is not finite", recorded.row.round);
    return fmt::format(
        "diverged in round {}: the objective {:.6g} is above {:.6g}, stop.divergence_factor times that of the start",
        recorded.row.round, recorded.row.objective.value_or(0), factor * recorded.objective_start);
  };
  return {.reason = StopReason::diverged, .ends_with_row = is_divergent, .remark = remark, .is_failure = true};
}

}  // namespace

StopRule metric_rule(const StopMetricOptions& stop, std::size_t place, std::optional<double> central) {
  const std::optional<double> least = stop.share_of_central ? *stop.share_of_central * central.value() : stop.at_least;
  const auto is_enough = [=, most = stop.at_most](const RecordedRow& recorded) {
    const std::optional<double>& value = recorded.row.metrics[place];
    return value && (least ? *value >= *least : *value <= *most);
  };
  return {.reason = StopReason::metric, .ends_with_row = is_enough};
}

StopRules stop_rules(const StopOptions& stop) {
  StopRules rules;
  if (stop.flops) rules.push_back(budget(StopReason::flops, EventKind::computed, *stop.flops));
  if (stop.bytes) rules.push_back(budget(StopReason::bytes, EventKind::sent, *stop.bytes));
  if (stop.flops_per_agent)
    rules.push_back({.reason = StopReason::flops_per_agent,
                     .ends_with_round = [limit = *stop.flops_per_agent](Flops flops) { return flops >= limit; }});
  rules.push_back(divergence(stop.divergence_factor.value_or(std::numeric_limits<double>::infinity())));
  if (stop.relative_error)
    rules.push_back({.reason = StopReason::relative_error,
                     .ends_with_row = [target = *stop.relative_error, rows = stop.stays_rows,
                                       below = std::int64_t{0}](const RecordedRow& recorded) mutable {
                       const bool is_there = recorded.row.relative_error && *recorded.row.relative_error <= target;
                       below = is_there ? below + 1 : 0;
                       return below >= rows;
                     }});
  return rules;
}

}  // namespace lagnet
