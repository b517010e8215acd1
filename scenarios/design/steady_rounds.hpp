#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/assembly/experiment_cache.hpp"
#include "scenarios/format/scenario.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// Why a scenario cannot be designed for: a sentence for its user.
class DesignError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An agent's work in a round, averaged over some rounds.
struct AgentRound {
  double busy_s = 0;         // computing, encrypting and sleeping
  double messages = 0;       // that it sends
  double message_bytes = 0;  // of each of them; 0 if it sends none
};

/// The rounds of a scenario after its start.
struct SteadyRounds {
  double cycle_s = 0;  // simulated seconds from one round to the next
  /// The period in rounds after which every agent repeats its events, later by a constant: then cycle_s is exact. 0 if
  /// no period was found within 8192 rounds, for instance with random message delays: then cycle_s is the mean of the
  /// later half. The search takes long if two cycles of links have nearly the same mean.
  Round period = 0;
  std::vector<AgentRound> agents;
  Network network;
};

/// Runs a scenario whose numerics are off, for 64 rounds and then twice as many again until they repeat; fewer in
/// large networks. Throws Diagnosed, and DesignError if agents wait for messages that never come, or do not report
/// rounds; `shown` names the file.
SteadyRounds steady_rounds(Scenario scenario, const std::string& shown, ExperimentCache& cache);

}  // namespace lagnet
