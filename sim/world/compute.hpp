#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/compute_cost.hpp"
#include "sim/base/gilbert_chain.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// The speed of an agent from one time until its next piece.
struct SpeedPiece {
  Time from;
  double flops_per_s = 0;  // 0: it pauses; infinity: computation is free
  bool operator==(const SpeedPiece&) const = default;
};

/// Makes agents slow for some rounds. In each round an agent that is not slow becomes slow with `probability`, for a
/// geometric number of rounds with mean `mean_rounds`; it may become slow again at once. So with mean_rounds 1 every
/// round of every agent is slow with `probability`, independently; with infinity an agent stays slow.
struct Straggler {
  double probability = 0;
  double factor = 1;       // on every duration while slow; at least 1
  double mean_rounds = 1;  // at least 1
};

/// The parameters of a compute model.
struct ComputeSpec {
  std::vector<std::vector<SpeedPiece>> speed;        // of each agent: from time 0, ascending, the last above 0
  std::vector<double> memory_bandwidth_bytes_per_s;  // of each agent, above 0; empty: infinite
  std::optional<Straggler> straggler;
  std::uint64_t seed = 1;  // of the stragglers
  /// Of each agent: how long its updates take, whatever they count, the n-th one the (n modulo size)-th of these; then
  /// all its other computations take no time. Empty: all take the time of their flops and bytes.
  std::vector<std::vector<Duration>> update_times = {};
  bool has_rounds = true;  // an agent's first computation of a round is its update; else computations say so themselves
};

/// How long an agent takes for some work: the longer of its flops at the agent's speed and its bytes at the agent's
/// memory bandwidth (the roofline of Williams, Waterman, Patterson, "Roofline: an insightful visual performance model
/// for multicore architectures", 2009), times the factor of a slow round. Where the speed changes, the flops are
/// integrated piece by piece; a slow agent has `factor` times as many of them.
///
/// Which rounds of which agents are slow is a function of (seed, agent, round), so that two algorithms meet the same
/// stragglers: a GilbertChain with purpose "straggler" and a leave probability of (1 - probability) / mean_rounds.
class ComputeModel {
 public:
  /// One constant speed for each agent, in flops per second. Throws std::invalid_argument unless all are above 0;
  /// infinity is allowed and makes computation free.
  explicit ComputeModel(const std::vector<double>& speed_flops_per_s);
  /// Throws std::invalid_argument that names each agent whose numbers break what ComputeSpec says.
  explicit ComputeModel(const ComputeSpec& spec);

  AgentId agents() const { return static_cast<AgentId>(curve_.size()); }
  /// To the nearest nanosecond, of a computation in a round, or of an update by its number. Call it once for each
  /// computation, and from one thread at a time: it remembers the state of each agent's chain, and its last round.
  Duration time(AgentId agent, Round round, Time start, Cost work, bool is_update = false) const;
  /// The time of flops alone from time 0 on, outside slow rounds.
  Duration time(AgentId agent, Flops flops) const { return flops_time(agent, Time(), static_cast<double>(flops)); }
  bool is_slow(AgentId agent, Round round) const;
  /// At time 0, outside slow rounds.
  double speed_flops_per_s(AgentId agent) const { return pieces(agent).front().flops_per_s; }

 private:
  void add_agent(std::span<const SpeedPiece> pieces);
  std::span<const SpeedPiece> pieces(AgentId agent) const {
    const std::uint32_t curve = curve_[agent];
    return {pieces_.data() + first_[curve], pieces_.data() + first_[curve + 1]};
  }
  void check() const;
  Duration flops_time(AgentId agent, Time start, double flops) const;
  Duration given_time(AgentId agent, Round round, bool is_update) const;

  std::vector<std::uint32_t> curve_;  // of each agent, the index of its speed curve; consecutive agents may share one
  std::vector<std::uint32_t> first_;  // of each curve's pieces; one more at the end
  std::vector<SpeedPiece> pieces_;
  std::vector<double> memory_bandwidth_;
  std::optional<Straggler> straggler_;
  std::optional<GilbertChain> chain_;
  std::uint64_t seed_ = 1;
  mutable std::vector<RoundChainState> slow_;  // of each agent: remembered, but determined by the seed
  std::vector<std::vector<Duration>> update_times_;
  bool has_rounds_ = true;
  mutable std::vector<Round> last_round_;  // of each agent with given times, in which it computed
};

}  // namespace lagnet
