#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "scenarios/format/kinds/topology_kinds.hpp"
#include "scenarios/format/scenario.hpp"
#include "sim/world/topology_schedule.hpp"
#include "topologies/sequences/graph_sequence.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// The use of a graph, which decides how much memory it must leave: to look at it, or to run on it.
enum class GraphUse { looked_at, run_on };

using MadeSchedule = std::shared_ptr<const TopologySchedule>;

/// A scenario's topology, and the graphs that it may change to.
struct MadeTopology {
  Topology all;                                              // every edge of any round
  std::function<MadeSchedule(const Network&)> changes = {};  // over its links; empty if there are none
  std::shared_ptr<const GraphSequence> sequence = nullptr;   // null if the topology does not change
};

/// The input of a maker of changes, in addition to its options.
struct ChangeContext {
  const Topology& topology;
  std::uint64_t seed;
  Diagnostics& diagnostics;  // gets the problems, below /topology/changes
};

/// The scenario's topology and its changes. Adds problems to the diagnostics: graphs that cannot be made, that differ
/// from earlier ones in the number of agents or the weight of an edge, or whose union is not connected. The result is
/// then useless. Throws what making the topology itself throws.
MadeTopology make_changing_topology(const Choice<TopologyFamily>& topology, std::uint64_t seed,
                                    Diagnostics& diagnostics);

/// The graphs of a sequence, which are useless where there are problems of them.
GraphSequence make_sequence(const SequenceOptions& options, std::uint64_t seed, Diagnostics& diagnostics);
/// Every edge of them, which make_changing_topology() says more of. Throws Diagnosed.
Topology make_topology(const SequenceOptions& options, std::uint64_t seed);
/// Its rounds, over links of its union.
MadeSchedule schedule_of(const GraphSequence& sequence, const Network& network, std::uint64_t seed,
                         RandomReceivers::Given given = nullptr);

/// make_changing_topology() of a scenario. Throws Diagnosed with all that is wrong; `shown` names the file in it.
MadeTopology make_changing_topology(const Scenario& scenario, const std::string& shown,
                                    GraphUse use = GraphUse::run_on);

/// The scenario's topology, with every edge of any round where it changes. Throws Diagnosed if it cannot be made or
/// is not connected, as a digraph strongly; `shown` names the file in it.
Topology make_topology(const Scenario& scenario, const std::string& shown);

/// The facts about a topology that an algorithm may know; eigenvalues stay 0 unless requested, and for a digraph.
NetworkFacts network_facts(const Topology& topology, bool with_eigenvalues = true);
/// The extreme eigenvalues of each graph's Laplacian without edge weights among them: of a sequence's graphs, if each
/// is connected, or of a topology that does not change; none for other changes.
void add_graph_spectra(NetworkFacts& facts, const Topology& topology, const GraphSequence* sequence);
/// The gossip matrix that the scenario asks for on this topology. Throws Diagnosed for a file that
/// has none.
SparseMatrix make_gossip(const GossipOptions& options, const Topology& topology);
/// The scenario's settings of gossip and weights that a method does not use, for warnings.
Remarks unused_weights(const Scenario& scenario, const Topology& topology);
/// The gossip matrices of the rounds of a sequence among them, by this rule where its graphs have no weights of their
/// own. Throws Diagnosed for a file where there should be a rule.
void add_round_weights(NetworkFacts& facts, const GraphSequence& sequence, const GossipOptions& rule);
/// The gossip matrix among them. Throws Diagnosed if W does not fit this topology.
void add_gossip(NetworkFacts& facts, const Topology& topology, const SparseMatrix& w);

}  // namespace lagnet
