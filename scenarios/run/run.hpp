#pragma once

#include <functional>
#include <iosfwd>

#include "scenarios/run/outcome.hpp"
#include "scenarios/run/recorded_values.hpp"
#include "scenarios/run/recorded_world.hpp"
#include "scenarios/run/stop_rules.hpp"

namespace lagnet {

struct RunOptions {
  unsigned threads = 1;
  std::ostream* trace = nullptr;                 // takes trace.jsonl
  std::ostream* timeline = nullptr;              // takes timeline.json
  std::function<void(const Row&)> row = {};      // takes each row when it is recorded; rows do not change then
  std::function<void(const Remark&)> warn = {};  // gets remarks while the run goes on
  const RecordedValues* recorded = nullptr;  // the values of its rounds, so that nothing is computed; null: it computes
  RecordedWorld* world = nullptr;            // with the agents, that is run; null: it is simulated
  StopRules enough = {};  // additional stop rules, after the scenario's own: for callers that need only the beginning
};

/// Runs an assembled scenario. An objective that is not finite, or too large, ends the run as diverged, and so does an
/// agent's Divergence; agents that wait for messages which never come end it with a deadlock. Throws AgentError, and
/// with recorded values ValuesMissing where it records a round that they do not have.
Outcome run(const Experiment& experiment, const RunOptions& options = {});

}  // namespace lagnet
