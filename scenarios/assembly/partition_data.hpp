#pragma once

#include <vector>

#include "algorithms/problem/problem.hpp"
#include "scenarios/data/data_set.hpp"
#include "scenarios/format/kinds/partition_kinds.hpp"
#include "sim/world/participation.hpp"
#include "topologies/topology.hpp"

/// How a scenario's data are partitioned among its agents, as its algorithm's traits want them.
namespace lagnet {

/// Reports a partition of features if the algorithm partitions samples, or the other way round; a partition by labels
/// that do not exist; and a partition of samples of reduced data, whose rows stand for more samples. The problem's data
/// must exist.
bool check_partition(const AlgorithmTraits& traits, const Choice<PartitionFamily>& partition, const Problem& problem,
                     Diagnostics& diagnostics);

/// Reports agents that are no neighbors of the server, and a choice of clients that cannot be used with its neighbors
/// (null: none). Nothing without a server.
bool check_server(const AlgorithmTraits& traits, const Topology& topology, const Participation* participation,
                  Diagnostics& diagnostics);

/// The scenario's partition; puts the problem's columns, or rows and labels, in its order. `data` are in their own.
/// Throws Diagnosed; reports holders of no samples.
DataPartition partition_data(const Choice<PartitionFamily>& partition, const AlgorithmTraits& traits,
                             const DataSet& data, Index agents, std::uint64_t seed, Problem& problem,
                             Diagnostics& diagnostics);

/// The first column or row of each agent, and the end (agents + 1); a server has none. Empty if cells are partitioned.
std::vector<Index> starts_by_agent(const DataPartition& partition, const AlgorithmTraits& traits);

}  // namespace lagnet
