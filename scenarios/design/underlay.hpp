#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/remark.hpp"

namespace lagnet {

/// The latencies between the nodes of an underlay along shortest paths: a CSV file for latencies of kind
/// matrix, in ms. The underlay is a GraphML file whose edges have latencies (EdgeAttributeReader), or else a `weight`,
/// their latency in ms; of parallel edges the least counts. Sites have the names of the nodes; without `agents`, agent
/// k is at node k.
struct RoutedLatencies {
  std::string table;
  Remarks warnings;
};
enum class LatencyFrom { edges, distance };
/// `from` distance: latency_of_distance_ms() of the places of an edge's nodes, in place of what the file says. Throws
/// Diagnosed for a file that is none, whose graph is not connected, or whose edges, or nodes, have no latency, or
/// place.
RoutedLatencies routed_latencies(const std::filesystem::path& underlay, LatencyFrom from = LatencyFrom::edges);

}  // namespace lagnet
