#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/design/candidates.hpp"
#include "scenarios/design/round_delays.hpp"
#include "scenarios/format/scenario.hpp"
#include "sim/base/remark.hpp"

/// Which topology has the shortest rounds: proposes some for the latencies of a scenario, and runs it on each of them
/// without numbers.
namespace lagnet {

/// A candidate with its cost.
struct DesignedPoint {
  Candidate candidate;
  std::int64_t links = 0, largest_degree = 0;
  double cycle_s = 0;                       // simulated seconds a round
  Round period = 0;                         // see SteadyRounds; 0: cycle_s is a mean
  std::optional<PredictedCycle> predicted;  // by the delays of links
  std::optional<double> spectral_gap = {};  // of Metropolis weights; nothing for methods with a server
  /// Until gossip with these weights, one exchange a round, has brought agents nearer to their mean by a factor e:
  /// cycle_s / -log(1 - spectral_gap), and 0 where one exchange makes them agree.
  std::optional<double> mixing_s = {};
};

struct TopologyDesign {
  ScenarioFile file;  // without what is said of the points of its own sweep
  bool has_server = false;
  Remarks warnings;                   // about the files that were read
  std::vector<DesignedPoint> points;  // by cycle time, the shortest first; of equal ones by their order as candidates
};

/// For a method of peers the scenario's own topology and those of proposed_topologies(), for one with a server its
/// places. A sweep of the scenario over seeds stays in the file, and its first seed is the one that is designed for;
/// any other sweep is refused. `degree`: see proposed_topologies(). `step` hears what is simulated next. Throws
/// Diagnosed and DesignError.
TopologyDesign design(const ScenarioFile& file, std::optional<std::int64_t> degree,
                      const std::function<void(const std::string& what)>& step = {});

}  // namespace lagnet
