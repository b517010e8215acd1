#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/format/result_columns.hpp"
#include "sim/accounts/critical_path.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/base/options.hpp"
#include "sim/base/remark.hpp"
#include "sim/transport/resource_accounts.hpp"

namespace lagnet {

/// Why a run ended, as summary.json names it: after its last round, by another stop condition, or by a failure.
enum class StopReason {
  rounds,
  simulated_s,
  flops,
  bytes,
  price,
  updates,
  flops_per_agent,
  relative_error,
  metric,
  diverged,
  deadlock,
  gone,
  end_of_time
};
constexpr auto spellings(StopReason) {
  return std::array{Spelling{StopReason::rounds, "rounds"},
                    Spelling{StopReason::simulated_s, "simulated_s"},
                    Spelling{StopReason::flops, "flops"},
                    Spelling{StopReason::bytes, "bytes"},
                    Spelling{StopReason::price, "price"},
                    Spelling{StopReason::updates, "updates"},
                    Spelling{StopReason::flops_per_agent, "flops_per_agent"},
                    Spelling{StopReason::relative_error, "relative_error"},
                    Spelling{StopReason::metric, "metric"},
                    Spelling{StopReason::diverged, "diverged"},
                    Spelling{StopReason::deadlock, "deadlock"},
                    Spelling{StopReason::gone, "gone"},
                    Spelling{StopReason::end_of_time, "end_of_time"}};
}

/// The outcome of a run.
struct Outcome {
  Ending ending;
  StopReason stop = StopReason::rounds;
  bool diverged = false;  // an objective that is not finite, or above the limit
  std::string deadlock;   // who waits for whom, where nothing could happen any more; else ""
  bool failed() const { return diverged || !deadlock.empty(); }
  std::vector<Row> rows;
  Vector iterate;                                  // of the last row, in the data's order; empty where numerics are off
  std::vector<std::pair<Round, Vector>> iterates;  // of the rounds that record.model_every asks for
  ErrorScale error_scale;
  std::optional<RateBound> bound;  // that theory proves of these rows
  Ledger ledger{0, 0};
  std::optional<AccountsOfResources> resources;  // where some lie between agents and all was simulated
  std::optional<PathSums> path;                  // if record.critical_path asks for it
  std::string trace_hash;
  Remarks remarks;                  // remarks on the result for the user
  std::int64_t trace_events = 0;    // what the hash is over
  std::string runtime;              // "tcp" where agents were processes; "" where all was simulated
  std::vector<Round> last_reports;  // the last round or update that each agent reported, by agent; 0 if none
};

/// The share of the time up to `at` in which `agents` agents, with this joint account, computed or encrypted; 0 at 0.
double compute_utilization(const AgentAccount& account, std::int64_t agents, Time at);

/// Why an optimum that was wanted cannot serve for relative_error; nothing if it can or if none was wanted (null).
std::optional<Remark> missing_optimum(const Optimum* optimum);
/// Why a certified optimum does not: the start is as good.
std::optional<Remark> missing_distance(const ErrorScale& error_scale);

/// The row whose measure is the largest multiple of what theory allows; nothing if no row has both. `place`: of the
/// bound's measure among the metrics, or none for relative_error.
struct WorstOfBound {
  double ratio = 0;  // measured / bound
  double measured = 0, bound = 0;
  Round round = 0;
  bool is_above = false;  // by more than rounding
};
std::optional<WorstOfBound> worst_of_bound(const std::vector<Row>& rows, const RateBound& bound,
                                           std::optional<std::size_t> place);
inline constexpr std::string_view above_bound_code = "above_bound";
/// That a row is above the bound, if any is: the method, the bound or their conditions are wrong.
std::optional<Remark> above_bound(const std::optional<WorstOfBound>& worst, const RateBound& bound);
/// Where a row has the bound's measure.
std::optional<std::size_t> place_of_measure(const Experiment& experiment, const RateBound& bound);

/// The outlook of a run that ended before a level: how many rounds more it would take at the rate of its last half, to
/// two digits, or why more rounds will not get it there: the error grows again, does not fall, or levels off, each
/// round falling by so much less than the one before that all that is to come is not enough. Neither is known of few
/// rows.
struct Outlook {
  std::optional<double> more_rounds = {};
  std::string why_not = {};
};
/// `rounds` ascend, `errors` are beside them, the last one above 0 and above `wanted`.
Outlook outlook(std::span<const double> rounds, std::span<const double> errors, double wanted);

/// Whether one of these remarks says that the method may go to something else than a minimizer: then it is not known
/// what more rounds would do.
bool has_other_limit(const Remarks& remarks);

/// Codes of the remarks below that the line of a sweep's point says already.
inline constexpr std::string_view tolerance_missed_code = "tolerance_missed",
                                  worse_than_start_code = "worse_than_start";

/// The remark on a run that ended without reaching stop.relative_error: how far it came, and what lies ahead. Nothing
/// if it was not asked for, or reached.
std::optional<Remark> missed_tolerance(const std::vector<Row>& rows, std::optional<double> wanted,
                                       bool may_have_other_limit = false);
/// The remark on a run that stop.metric did not end: how far the metric came, at this place among a row's metrics, or
/// that no row has it.
Remark missed_metric(const std::vector<Row>& rows, std::size_t place, const StopMetricOptions& goal);
/// A remark if the last objective is above the first; nothing otherwise.
std::optional<Remark> worse_than_start(const std::vector<Row>& rows, double objective_start);
/// A remark if computing took no time although objectives changed: no flops were billed, or the method knows that it
/// did not wait for its work. Nothing otherwise.
std::optional<Remark> free_computation(const std::vector<Row>& rows, Flops flops, bool works_for_free);
/// A remark if times of all agents together are longer than can be counted; nothing otherwise.
std::optional<Remark> longest_sums(const AgentAccount& total);

}  // namespace lagnet
