#pragma once

#include "sim/base/array.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// How the data matrix is divided among the agents that hold data.
enum class PartitionBy {
  features,  // each holds some columns, of all samples
  samples,   // each holds some rows, and their labels
  cells      // each holds some entries: of some rows some columns, and these rows' labels (cells.hpp)
};

/// The server, where an algorithm has one.
constexpr AgentId server_agent = 0;

/// How an algorithm's agents stand to each other and to the data. An options struct says it by static members, where it
/// differs from this:
///
///     static constexpr bool has_server = true;                 // the data are held by clients, its neighbors
///     static constexpr Division division = Division::samples;  // instead of features
///     static constexpr bool offers_timing = true;              // Algorithm::spawn_sizes() is there
///     bool needs_numbers() const;                              // what it costs depends on them: no timing
///     bool needs_eigenvalues() const;                          // of the Laplacian; a server needs none
///     static constexpr bool needs_gossip = true;               // the rows of W, and its spectrum
///     static constexpr bool takes_constraint = true;           // it keeps iterates in the problem's set
///     static constexpr bool takes_empty_shards = true;         // Division::samples: some may hold none
///     static constexpr bool equal_agents = true;  // F is the mean of the agents' means, whatever their samples count
struct AlgorithmTraits {
  bool has_server = false;
  PartitionBy division = PartitionBy::features;
  bool offers_timing = false;
  bool needs_eigenvalues = true;    // NetworkFacts must have them
  bool needs_gossip = false;        // NetworkFacts must have the gossip matrix
  bool takes_constraint = false;    // else the problem must have none
  bool takes_empty_shards = false;  // else each that holds data has a sample
  bool equal_agents = false;        // f_i keeps its own 1/n_i, and F is the mean of the f_i

  Index agents_with_data(Index agents) const { return has_server ? agents - 1 : agents; }
};

template <class Options>
constexpr AlgorithmTraits traits_of(const Options& options) {
  AlgorithmTraits roles;
  if constexpr (requires { Options::has_server; }) roles.has_server = Options::has_server;
  if constexpr (requires { Options::division; }) roles.division = Options::division;
  if constexpr (requires { Options::offers_timing; }) roles.offers_timing = Options::offers_timing;
  if constexpr (requires { options.needs_numbers(); }) roles.offers_timing &= !options.needs_numbers();
  roles.needs_eigenvalues = !roles.has_server;
  if constexpr (requires { Options::needs_gossip; }) roles.needs_gossip = Options::needs_gossip;
  if constexpr (requires { Options::takes_constraint; }) roles.takes_constraint = Options::takes_constraint;
  if constexpr (requires { Options::takes_empty_shards; }) roles.takes_empty_shards = Options::takes_empty_shards;
  if constexpr (requires { Options::equal_agents; }) roles.equal_agents = Options::equal_agents;
  if constexpr (requires { options.needs_eigenvalues(); }) roles.needs_eigenvalues = options.needs_eigenvalues();
  return roles;
}

}  // namespace lagnet
