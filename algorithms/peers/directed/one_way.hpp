#pragma once

#include <string_view>

#include "algorithms/interface/algorithm_traits.hpp"
#include "sim/agents/agent.hpp"
#include "sim/base/compute_cost.hpp"

/// Shared parts of methods for one-way links: push weights C_ij = 1 / (1 + out-degree of j), column stochastic, and
/// pull weights R_ij = 1 / (1 + in-degree of i), row stochastic, where j sends to i and for i = j
/// (topologies/one_way_weights.hpp). A sender divides what it pushes, a receiver what it has pulled.
namespace lagnet {

/// Methods by gradients of agents that hold samples. `every_message` as in AlgorithmTraits.
constexpr AlgorithmTraits one_way_traits(std::string_view every_message, Regularizers regularizers) {
  return {.partition_by = PartitionBy::samples,
          .takes_regularizers = regularizers,
          .takes_even_weights = true,
          .takes_directed = true,
          .every_message = every_message,
          .timing_only = true};
}

inline double push_divisor(const Agent& me) { return 1 + static_cast<double>(me.degree()); }
inline double pull_divisor(const Agent& me) { return 1 + static_cast<double>(me.in_degree()); }

/// The cost of adding the neighbors' vectors to the kept one, for vectors with this many numbers.
inline Cost gathering_work(const Agent& me, Index numbers) {
  return {me.in_degree() * numbers, Bytes{sizeof(double)} * (me.in_degree() + 2) * numbers};
}

}  // namespace lagnet
