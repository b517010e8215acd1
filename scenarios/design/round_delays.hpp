#pragma once

#include <optional>
#include <vector>

#include "scenarios/design/steady_rounds.hpp"
#include "sim/base/array.hpp"
#include "sim/world/world_model.hpp"

/// How long a round of one exchange takes by the delays of its links. O. Marfoq, C. Xu, G. Neglia, R. Vidal,
/// "Throughput-optimal topology design for cross-silo federated learning" (NeurIPS 2020), section 2.
///
/// The delay of a link from i to j in a round, equation (3) of the paper:
/// s T_c(i) + l(i,j) + M / min(C_up(i) / out(i), C_dn(j) / in(j), A(i,j)): what i computes, the latency, and M bytes at
/// the narrowest of the sender's interface, of which each of its out(i) links has its share, the receiver's, and the
/// link. A(i,j) is the share of the narrowest inner link or medium on the link's route, too, of which each link over it
/// has one. Where messages share nothing, every one has all of it for itself.
namespace lagnet {

/// The delays between any two of the agents, of which `complete` has a link for each two, as if each had this link
/// alone (m x m). `agents`: what they do in a round.
Matrix pair_delays(const std::vector<AgentRound>& agents, const Network& complete);

/// The cycle time by these delays.
struct PredictedCycle {
  double seconds = 0;
  bool is_exact = false;  // nothing is shared or changes, so that it is the simulated one if nothing is drawn
};
/// No value for rounds that are not one exchange with every neighbor.
std::optional<PredictedCycle> predicted_cycle_s(const SteadyRounds& rounds, Sharing sharing);

}  // namespace lagnet
