#pragma once

#include <string>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "sim/base/remark.hpp"

namespace lagnet {

/// One line of network and data: "16 agents, complete or lattice, latency varies, ..., heart_scale.libsvm, 270 samples
/// x 13 features, logistic, l2 0.01". It says what all runs share; up to three values are
/// named, and more "vary". Facts that are not in a run's files are left out.
std::string setting_line(const std::vector<RecordedRun>& runs);

/// Whether messages of one agent never wait for each other in this run, so that many neighbors cost no time.
bool links_share_nothing(const RecordedRun& run);

/// What a reader has to know of runs that are compared: shared links, seeds, steps of theory.
Remarks remarks_on(const std::vector<ComparedSeries>& measured, const std::vector<const ComparedRun*>& runs);

/// What would let runs go on that all ended before a level: "give --set stop.rounds=4000", or why nothing would; "" if
/// that is not known.
std::string way_further(const std::vector<const ComparedRun*>& runs, double level, const CompareOptions& options);

}  // namespace lagnet
