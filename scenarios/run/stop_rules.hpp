#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/run/outcome.hpp"
#include "sim/base/sim_event.hpp"

namespace lagnet {

/// A condition that ends a run. A rule has a function for what it looks at: events as they happen, rounds when they are
/// complete, or recorded rows.
struct StopRule {
  StopReason reason = StopReason::rounds;
  std::optional<EventKind> event_kind = {};  // of the events that it looks at
  std::function<bool(const SimEvent&)> ends_with_event = {};
  std::function<bool(Flops flops_per_agent_max)> ends_with_round = {};  // of the agent with the most
  std::function<bool(const Row&)> ends_with_row = {};
  std::function<Remark(const Row&)> remark = {};  // what a user should know of the end by this row
  bool is_failure = false;                        // a run that it ends has failed
};

using StopRules = std::vector<StopRule>;

/// The rules of a scenario. If several end a run at the same time, the first one counts. The last round and the limit
/// of simulated time are no rules: agents end by themselves after the last round, and the event loop ends at the limit.
/// `objective_start`: what divergence is measured by. `costs`: of stop.price; they must outlive the rules.
StopRules stop_rules(const StopOptions& stop, double objective_start, const CostModel& costs = {});
/// That stop.metric, at this place among a row's metrics, is good enough; `central`: its value at the central optimum,
/// where a share of that is asked for.
StopRule metric_rule(const StopOptions& stop, std::size_t place, std::optional<double> central);

}  // namespace lagnet
