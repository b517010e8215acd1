#pragma once

#include "sim/base/array.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// How the data matrix is partitioned among the agents that hold data.
enum class PartitionBy {
  features,  // each holds some columns, of all samples
  samples,   // each holds some rows, and their labels
  cells      // each holds some entries: of some rows some columns, and these rows' labels (cells.hpp)
};

/// The server, where an algorithm has one.
constexpr AgentId server_agent = 0;

/// Which roles agents have, how data are partitioned among them, and what else an algorithm needs. Each options struct
/// declares them, and names only what differs from the defaults:
///
///     static constexpr AlgorithmTraits traits{.server = true, .partition_by = PartitionBy::samples};
///
/// or, where they depend on the options, as a function: AlgorithmTraits traits() const.
struct AlgorithmTraits {
  bool server = false;  // agent 0 holds no data; all others are its clients and neighbors
  PartitionBy partition_by = PartitionBy::features;
  bool needs_eigenvalues = false;   // of the Laplacian, in NetworkFacts
  bool needs_gossip = false;        // the gossip matrix and its spectrum, in NetworkFacts
  bool takes_constraint = false;    // else the problem must have none
  bool takes_empty_shards = false;  // else each agent that holds data has a sample
  bool equal_agents = false;        // f_i keeps its own 1/n_i, and F is the mean of the f_i
  bool waits_for_all = false;       // its rounds can have neither a deadline nor `enough` answers
  bool timing_only = false;         // it runs without numbers as well

  Index agents_with_data(Index agents) const { return server ? agents - 1 : agents; }
};

template <class Options>
constexpr AlgorithmTraits traits_of(const Options& options) {
  if constexpr (requires { options.traits(); })
    return options.traits();
  else
    return Options::traits;
}

}  // namespace lagnet
