#pragma once

#include <cstdint>

#include "sim/base/draws.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// The state of the walk of one key. The caller keeps one for each key; a fresh one starts over.
struct RoundChainState {
  Round round = -1;
  bool bad = false;
};

/// A two-state Markov chain (good, bad) that takes one step a round, as in Gilbert, "Capacity of a burst-noise channel"
/// (1960): from good to bad with the enter probability, from bad to good with the leave probability. Bad spells last a
/// geometric number of rounds with mean 1/leave, and the share of bad rounds is enter/(enter + leave).
///
/// Round 0 has that stationary share already, so that no round is special. With a leave probability of 0 there is no
/// such share worth having (all would be bad from the start): round 0 is then bad with the enter probability, as if the
/// round before had been good.
///
/// Whether a round is bad is a function of (seed, purpose, agent or pair, round): round t takes one draw u, and is bad
/// if u < P(bad | state of round t-1). States only save the way from round 0; a request for an earlier round starts the
/// walk again.
class GilbertChain {
 public:
  /// Throws std::invalid_argument unless both lie in [0, 1].
  GilbertChain(double enter_probability, double leave_probability);

  /// For an agent: the draws are Draws(seed, purpose, agent, round). round >= 0.
  bool is_bad(std::uint64_t seed, Purpose purpose, AgentId agent, Round round, RoundChainState& state) const;
  /// For an ordered pair, a directed link say: the same with a seed that is drawn from `seed` for its second member.
  bool is_bad(std::uint64_t seed, Purpose purpose, AgentId from, AgentId to, Round round, RoundChainState& state) const;

 private:
  double enter_;
  double stay_;   // from bad to bad
  double start_;  // bad in round 0
};

}  // namespace lagnet
