#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "scenarios/run/row_recorder.hpp"

namespace lagnet {

/// The schedule of rows that do not belong to rounds.
struct InstantRows {
  std::optional<Duration> every = {};              // from time 0 on, above 0
  std::optional<std::int64_t> every_updates = {};  // after the instant in which this many more updates are reached
  std::int64_t most = 5'000'000;                   // rows; after them, the last row alone
};

/// Makes rows of moments, whatever round each agent is in: of the newest report of each agent when every event up to
/// that moment is over, those of the moment itself included. A row is no event and changes nothing of the run. `round`
/// is the smallest number of updates of an agent that counts updates, and `updates` is their sum.
class InstantRecorder final : public Recorder, public Listener, public Watcher {
 public:
  /// All must outlive the recorder.
  InstantRecorder(const Experiment& experiment, const RunOptions& options, const StopRules& rules, RecordedWorld& world,
                  Outcome& outcome, InstantRows due);

  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override;
  void on_event(const SimEvent& what) override { rows_.count_staleness(what.amount); }
  bool wants(EventKind what) const override { return what == EventKind::used; }
  Time look(Time at) override;
  /// At the end of the run: its last row, unless that moment has one.
  void record_last(Time end);

 private:
  Time time_of_row(std::int64_t row) const;
  void record(Time at);
  Round smallest_round() const;

  const Experiment& experiment_;
  RecordedWorld& world_;
  Outcome& outcome_;
  RowRecorder rows_;
  const InstantRows due_;
  std::vector<AgentId> reporters_, updaters_;
  std::vector<bool> is_updater_;            // by agent
  std::vector<Round> round_;                // newest, by agent
  std::vector<std::vector<Vector>> parts_;  // newest, by agent; empty where nothing is computed
  std::vector<bool> is_known_;              // whether an agent has parts
  std::size_t unknown_ = 0;                 // reporters that have none yet
  std::vector<bool> has_reported_;          // since the last row, by agent
  std::int64_t participants_ = 0;           // that have
  std::int64_t updates_ = 0, updates_due_;
  std::int64_t next_row_ = 0;  // of those by time
  std::optional<Time> recorded_at_;
};

}  // namespace lagnet
