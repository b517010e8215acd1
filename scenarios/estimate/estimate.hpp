#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/assembly/experiment_cache.hpp"
#include "scenarios/sweep/parallel_points.hpp"

namespace lagnet {

/// Seconds since some moment, of whatever clock the caller has.
using SecondsClock = std::function<double()>;

/// How much an estimate may cost itself, and what it is for.
struct EstimateOptions {
  SecondsClock clock;                                           // what it measures with
  double counting_s = std::numeric_limits<double>::infinity();  // after which no further point is counted
  double measuring_s = 10;                                      // after which no further point is measured
  double sample_s = 1;                                          // of the rounds of one point
  std::size_t samples = 5;                                      // points that are measured, at most
  std::size_t counted = 100;                                    // points that are counted, at most
  std::int64_t steps = 1'000'000;                               // of all counts together, in steps of count_work()
  bool is_prepared = false;   // points were assembled before, so that data and optima are there
  unsigned cores = 1;         // of the machine
  RunSettings settings = {};  // of the points
};

/// The cost of runs. Sums over all points; a sum is empty if it is unknown for one of them.
struct Estimate {
  std::size_t points = 0;
  std::optional<double> rounds, messages, bytes, flops, events;  // at most
  bool may_end_sooner = false;                                   // a tolerance may end a run before its last round

  std::size_t counted = 0, counted_whole = 0;  // points whose events were counted, and those to the last round
  std::size_t sampled = 0;                     // points whose rounds were measured
  double sampled_rounds = 0;                   // of these together
  Bytes memory = 0;                            // of the largest of these, with its data
  std::optional<double> result_bytes;          // on disk, roughly
  std::optional<double> seconds;               // of this machine, with the preparation
  double preparation_s = 0;                    // data, optima and all else that is made before the first point starts
  bool is_at_least = false;                    // a round was not over in the time for it: seconds are no less
};

/// Estimates the runs of these scenarios, the points of one file; `shown` names it. Points that differ in their seeds
/// alone take the same time; so a point stands for each such kind, and kinds that are not measured take their share of
/// one that is, by their messages, bytes and flops. Without a limit of seconds counts are the same every time. Throws
/// Diagnosed, and what run() throws.
Estimate estimate(const std::vector<Scenario>& scenarios, const std::string& shown, ExperimentCache& cache,
                  const EstimateOptions& options);

}  // namespace lagnet
