#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/compute_cost.hpp"
#include "sim/base/gilbert_chain.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// The speed of an agent from a moment on, until its next piece.
struct SpeedPiece {
  Time from;
  double flops_per_s = 0;  // 0 stands still, infinity computes for free
  bool operator==(const SpeedPiece&) const = default;
};

/// Agents that are slow for a while. In each round an agent that is not slow becomes slow with `probability`, for a
/// geometric number of rounds with mean `mean_rounds`; after them it may at once become slow again. So mean_rounds 1
/// makes every round of every agent slow with `probability`, independently; infinity makes an agent slow from then on.
struct Straggler {
  double probability = 0;
  double factor = 1;       // while slow, everything takes so many times as long; at least 1
  double mean_rounds = 1;  // at least 1
};

/// What a compute model is made of.
struct ComputeSpec {
  std::vector<std::vector<SpeedPiece>> speed;        // of each agent: from time 0, ascending, the last above 0
  std::vector<double> memory_bandwidth_bytes_per_s;  // of each agent, above 0; empty: infinite
  std::optional<Straggler> straggler;
  std::uint64_t seed = 1;  // of the stragglers
};

/// How long an agent takes for some work: the longer of its flops at the agent's speed and its bytes at the agent's
/// memory bandwidth (the roofline of Williams, Waterman, Patterson, "Roofline: an insightful visual performance model
/// for multicore architectures", 2009), times the factor of a slow round. Over a speed that changes, the flops are
/// integrated piece by piece, a slow agent having so many times as many of them to do.
///
/// Which rounds of which agents are slow is a function of (seed, agent, round), so that two algorithms meet the same
/// stragglers: a GilbertChain with purpose "straggler" and a leave probability of (1 - probability) / mean_rounds.
class ComputeModel {
 public:
  /// One constant speed for each agent, in flops per second. Throws std::invalid_argument unless all are above 0;
  /// infinity is allowed and makes computation free.
  explicit ComputeModel(const std::vector<double>& speed_flops_per_s);
  /// Throws std::invalid_argument that names each agent whose numbers are not as ComputeSpec says.
  explicit ComputeModel(const ComputeSpec& spec);

  AgentId agents() const { return static_cast<AgentId>(curve_.size()); }
  /// To the nearest nanosecond. One thread at a time: it remembers where each agent's stragglers stand.
  Duration time(AgentId agent, Round round, Time start, Cost work) const;
  /// What flops alone take from time 0 on, in no slow round.
  Duration time(AgentId agent, Flops flops) const { return flops_time(agent, Time(), static_cast<double>(flops)); }
  bool is_slow(AgentId agent, Round round) const;

 private:
  void add_agent(std::span<const SpeedPiece> pieces);
  std::span<const SpeedPiece> pieces(AgentId agent) const {
    const std::uint32_t curve = curve_[agent];
    return {pieces_.data() + first_[curve], pieces_.data() + first_[curve + 1]};
  }
  void check() const;
  Duration flops_time(AgentId agent, Time start, double flops) const;

  std::vector<std::uint32_t> curve_;  // of each agent, the course of its speed; neighbors in number may share one
  std::vector<std::uint32_t> first_;  // of each curve's pieces; one more at the end
  std::vector<SpeedPiece> pieces_;
  std::vector<double> memory_bandwidth_;
  std::optional<Straggler> straggler_;
  std::optional<GilbertChain> chain_;
  std::uint64_t seed_ = 1;
  mutable std::vector<RoundChainState>
      slow_;  // of each agent: a memory of what the seed determines, no state of its own
};

}  // namespace lagnet
