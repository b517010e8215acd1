#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/run/outcome.hpp"
#include "sim/base/sim_event.hpp"

namespace lagnet {

/// A condition that ends a run. A rule looks at what it needs: events as they happen, rounds when they are complete, or
/// recorded rows.
class StopRule {
 public:
  /// A row as it is recorded.
  struct Recorded {
    const Row& row;
    bool is_finite = true;  // objective and iterate are
    double objective_start = 0;
  };

  virtual ~StopRule() = default;
  /// What summary.json gives as the reason.
  virtual const char* reason() const = 0;
  virtual bool wants(EventKind) const { return false; }
  /// Whether the run ends with this event, one of those that it wants.
  virtual bool ends_with_event(const SimEvent&) { return false; }
  /// Whether the run ends with a complete round after which the agent with the most flops has this many.
  virtual bool ends_with_round(Flops /*flops_per_agent_max*/) const { return false; }
  virtual bool ends_with_row(const Recorded&) const { return false; }
  /// What a user should know about it, if it ends the run with this row; "" if nothing.
  virtual std::string remark(const Recorded&) const { return {}; }
  /// Whether the run has failed if this ends it.
  virtual bool is_failure() const { return false; }
};

using StopRules = std::vector<std::unique_ptr<StopRule>>;

/// The rules of a scenario. If several end a run at the same time, the first one counts. The last round and the limit
/// of simulated time are no rules: agents end by themselves after the last round, and the event loop ends at the limit.
StopRules stop_rules(const StopOptions& stop);

}  // namespace lagnet
