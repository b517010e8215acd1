#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/format/result_columns.hpp"
#include "sim/accounts/ledger.hpp"

namespace lagnet {

/// The outcome of a run.
struct Outcome {
  Ending ending;          // its reason: "rounds", another stop condition, "diverged" or "deadlock"
  bool diverged = false;  // an objective that is not finite, or above the limit
  std::string deadlock;   // who waits for whom, where nothing could happen any more; else ""
  bool failed() const { return diverged || !deadlock.empty(); }
  std::vector<Row> rows;
  ErrorScale error_scale;
  Ledger ledger{0, 0};
  std::string trace_hash;
  std::vector<std::string> remarks;  // what a user should know about the result
  std::int64_t trace_events = 0;     // what the hash is over
};

/// The share of the time up to `at` in which so many agents, with this account together, computed or encrypted; 0 at 0.
double compute_utilization(const AgentAccount& account, std::int64_t agents, Time at);

/// Why an optimum that was wanted cannot serve for relative_error; nothing if it can or if none was wanted (null).
std::optional<std::string> missing_optimum(const Optimum* optimum);
/// Why a certified optimum does not: the start is as good.
std::optional<std::string> missing_distance(const ErrorScale& error_scale);

}  // namespace lagnet
