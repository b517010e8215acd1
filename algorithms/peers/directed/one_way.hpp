#pragma once

#include <iterator>
#include <string_view>

#include "algorithms/interface/algorithm_traits.hpp"
#include "sim/agents/agent.hpp"
#include "sim/base/compute_cost.hpp"

/// Shared parts of methods for one-way links: push weights C_ij = 1 / (1 + out-degree of j), column stochastic, and
/// pull weights R_ij = 1 / (1 + in-degree of i), row stochastic, where j sends to i and for i = j
/// (topologies/one_way_weights.hpp); where graphs take turns, degrees are those of the round. A sender divides what it
/// pushes, a receiver what it has pulled.
namespace lagnet {

/// Methods by gradients of agents that hold samples. `every_message` as in AlgorithmTraits.
constexpr AlgorithmTraits one_way_traits(std::string_view every_message, Regularizers regularizers) {
  return {.partition_by = PartitionBy::samples,
          .takes_regularizers = regularizers,
          .takes_even_weights = true,
          .takes_directed = true,
          .every_message = every_message,
          .takes_sequence = true,
          .takes_single_rounds = SingleRounds::any,
          .timing_only = true};
}

/// Of the round, before its exchange.
inline double push_divisor(const Agent& me) { return 1 + static_cast<double>(me.receivers_of_round()); }

// After an exchange: of those whom the round has links from, since every message arrives.
inline Index came(const Agent& me) { return me.in_degree() - std::ssize(me.absent()); }
inline double pull_divisor(const Agent& me) { return 1 + static_cast<double>(came(me)); }
/// The cost of adding the neighbors' vectors to the kept one, for vectors with this many numbers.
inline Cost gathering_work(const Agent& me, Index numbers) {
  return {came(me) * numbers, Bytes{sizeof(double)} * (came(me) + 2) * numbers};
}

}  // namespace lagnet
