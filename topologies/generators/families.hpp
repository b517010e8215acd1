#pragma once

/// Every family of topologies. Each has an options struct (declared as sim/base/options.hpp explains, with its `kind`
/// and a `summary`) and an overload
///
///     Topology make_topology(const StarOptions& options, std::uint64_t seed);
///
/// which throws Diagnosed when the options describe no graph. Families without randomness ignore the seed; all have
/// weights of 1 unless they are read from a file. To add a family, declare its options in one of these headers and add
/// its line in scenarios/assembly/catalogues/topologies.cpp.
#include "topologies/generators/edge_list.hpp"
#include "topologies/generators/elementary.hpp"
#include "topologies/generators/graphml.hpp"
#include "topologies/generators/random_graphs.hpp"
