#pragma once

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "topologies/generators/graph_size.hpp"

namespace lagnet {

// Reports objects that exceed memory_budget() before they are made, by their least size.

/// The graph, with what its eigenvalues and distances take; of a run also agents and links, at the least.
void check_graph_memory(const GraphSize& size, GraphUse use, Diagnostics& diagnostics);
/// Data of a generator; those of a file are checked when it has been read.
void check_data_memory(const Scenario& scenario, Diagnostics& diagnostics);
/// The vectors of all agents, when data and problem are there.
void check_vectors_memory(const Experiment& made, Diagnostics& diagnostics);

/// Estimates the memory of a run before it starts, in bytes.
struct MemoryEstimate {
  Bytes data = 0;  // the data set, which runs on the same data share
  Bytes own = 0;   // all else
};

/// The data as they are stored, if they are made; and as the run's own: a copy of them where the partition puts columns
/// or rows into another order, what the algorithm says of its vectors (Algorithm::memory, or a usual amount where it
/// does not say; nothing without numbers), world_memory() of agents and links, and 768 bytes for each row of
/// progress.csv, up to 100,000. The data while they are read, the central solver and what the threads of kernels use
/// for a moment are not in it.
MemoryEstimate estimate_memory(const Experiment& experiment);

}  // namespace lagnet
