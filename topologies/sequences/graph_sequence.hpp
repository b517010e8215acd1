#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/array.hpp"
#include "sim/base/types.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// The gossip matrix of a round of a sequence.
enum class SequenceWeights {
  of_union,  // that of all graphs together; the weights of neighbors whom the round lacks go to the own vector
  by_rule,   // that which a rule makes of the round's graph alone
  of_edges,  // W_ij is the weight of the edge, W_ii what is left of 1
  even       // 1 / (1 + in-degree of the round) for the own vector and each that is heard
};

/// Graphs that are drawn, a new one for every round: every agent sends to so many others.
struct DrawnGraphs {
  std::int64_t out = 1;
  bool is_balanced = false;  // each hears as many as it sends to
};

/// Graphs over the same agents that rounds run on in turn.
struct GraphSequence {
  std::vector<Topology> graphs;  // empty where they are drawn
  Round rounds_each = 1;
  SequenceWeights weights = SequenceWeights::of_union;
  bool all_connected = false;  // each of them; else their union alone
  std::optional<DrawnGraphs> drawn = {};

  /// Whether its rounds run on graphs that leave agents apart, or mix with weights of their own.
  bool has_single_rounds() const { return !all_connected || weights != SequenceWeights::of_union; }
  /// The gossip matrix of every round, if agents weigh what they hear.
  bool is_doubly_stochastic() const { return !drawn || drawn->is_balanced; }
  /// Every edge or arc of any of `graphs`, without weights and notes.
  Topology plain_union() const;
};

/// W of a graph whose edges have the entries as weights (SequenceWeights::of_edges).
SparseMatrix matrix_of_edges(const Topology& graph);

}  // namespace lagnet
