#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "scenarios/run/outcome.hpp"
#include "scenarios/run/recorded_world.hpp"
#include "scenarios/run/run.hpp"
#include "scenarios/run/stop_rules.hpp"

namespace lagnet {

/// Makes rows from the agents' reports: evaluates them, passes the row on, and ends the run if a rule says so.
class RowRecorder {
 public:
  /// The counts when a row is due.
  struct Counts {
    Time at;
    std::int64_t participants = 0;
    std::int64_t updates = 0;
    AgentAccount total;
    Flops flops_per_agent_max = 0;
    Costs costs;
  };

  /// All must outlive the recorder.
  RowRecorder(const Experiment& experiment, const RunOptions& options, const StopRules& rules, RecordedWorld& world,
              Outcome& outcome);

  /// Adds what an agent has done up to a moment.
  void count(AgentId agent, Time at, Counts& counts) const;
  /// Remembers which round or update of its own an agent has reported.
  void note_report(AgentId agent, Round round) { outcome_.last_reports[agent] = round; }
  /// Whether rows have values that are computed here; else they are recorded, or there are none.
  bool computes() const { return experiment_.has_numbers() && !options_.recorded; }
  /// Whether a rule needs the counts of a complete round.
  bool looks_at_rounds() const;
  /// Ends the run if a rule says so of a round that is complete. True if it does.
  bool ends_with_round(Flops flops_per_agent_max);
  /// Ends the run if this number of updates is enough. True if it is.
  bool ends_with_updates(std::int64_t updates);
  /// An update used something of this age, in updates.
  void count_staleness(std::int64_t age);
  /// Adds a row of these reports, by agent; of none where nothing is computed.
  void add_row(Round round, const Counts& counts, RoundReport parts);
  /// The first round to be recorded that recorded values do not have; it ended the run.
  std::optional<Round> round_without_values() const { return without_values_; }

 private:
  /// Of these reports, in the data's order, with the scenario's metrics behind the algorithm's.
  Evaluation evaluated(Round round, RoundReport parts) const;
  /// Gives the row the values of these reports, or the recorded ones. False where a round has none of these.
  bool fill_in(Row& row, RoundReport parts);
  bool fill_in_recorded(Row& row) const;
  void stop_if_due(const Row& row);

  const Experiment& experiment_;
  const RunOptions& options_;
  const StopRules& rules_;
  RecordedWorld& world_;
  Outcome& outcome_;
  std::optional<Round> without_values_;
  std::size_t metrics_ = 0;                   // of a row
  std::vector<std::size_t> recorded_places_;  // of the objective and of the metrics, where values are recorded
  struct {
    std::int64_t uses = 0, sum = 0, largest = 0;
  } staleness_;  // since the last row
};

}  // namespace lagnet
