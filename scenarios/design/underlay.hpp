#pragma once

#include <filesystem>
#include <string>

namespace lagnet {

/// The latencies between the nodes of an underlay whose routers take shortest ways: a CSV file for latencies of kind
/// matrix, in ms. The underlay is a GraphML file whose edges have a `weight`, their latency in ms. Sites are called by
/// the numbers of the nodes in the file's order, so that without `agents` agent k stands at node k. Throws
/// TopologyError for a file that is none, or whose graph is not connected.
std::string routed_latencies(const std::filesystem::path& underlay);

}  // namespace lagnet
