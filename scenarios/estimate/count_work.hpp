#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/assembly/experiment_cache.hpp"
#include "scenarios/format/scenario.hpp"

namespace lagnet {

/// The work of a run until its last round. Amounts are whole numbers, exact up to 2^53; of long runs they exceed what
/// an integer holds.
struct WorkCount {
  std::optional<Round> rounds;  // at most; nothing if no limit ends the run, and the amounts are those of `counted`
  double messages = 0, bytes = 0, flops = 0, events = 0;
  Round counted = 0;      // rounds that were run; the others are taken to be like the second half of these
  bool is_whole = false;  // all were
};

/// The same scenario without numbers, where its events do not need them; else the scenario itself. Conditions that only
/// numbers can meet are taken off, so that it runs to its last round.
Scenario without_numbers(const Scenario& scenario);

/// Counts by running the events alone, if the algorithm offers that, and with numbers otherwise: all of them if they
/// are no more than a limit of steps (messages and computations, and 400 flops for one where they are computed), else
/// those of the first rounds, from which the others follow. Nothing if one round has more steps. Every call gives the
/// same. Throws Diagnosed, and what run() throws.
std::optional<WorkCount> count_work(const Scenario& scenario, const std::string& shown, ExperimentCache& cache,
                                    std::int64_t most_steps);

}  // namespace lagnet
