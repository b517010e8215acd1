#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/edge_attributes.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// A GraphML file of one graph, as networkx, igraph, Gephi and the Internet Topology Zoo write them. Nodes whose ids
/// are exactly 0 .. n-1 are the agents of these numbers; others become agents 0, 1, ... in the file's order. Their
/// names are their `label`, or else `name`, or else their id. Edges may have what EdgeAttributeReader says; nodes
/// `up_bytes_per_s` and `down_bytes_per_s`, and `Latitude` and `Longitude` in degrees.
struct GraphmlOptions {
  static constexpr std::string_view kind = "graphml";
  static constexpr std::string_view summary = "nodes, edges and their attributes from a GraphML file";
  std::filesystem::path path;
  bool directed = false;
  ParallelEdges parallel_edges = ParallelEdges::refuse;
  EdgeUse use;  // by the program, not by scenarios

  static void fields(auto& self, auto& field) {
    field("path", self.path, "the file", any_value().required());
    field("directed", self.directed,
          "true: of a digraph, whose edgedefault is \"directed\"; the source of an edge sends");
    field("parallel_edges", self.parallel_edges, parallel_edges_words);
  }
  GraphSize size() const { return {}; }
};

/// Reads the graph of `in`, called `name` in messages. Throws Diagnosed: one line for a file that is no GraphML of
/// such a graph, else every problem of its nodes and edges, which are numbered from 0.
Topology read_graphml(std::istream& in, const std::string& name, EdgeDirection direction = EdgeDirection::both,
                      ParallelEdges parallel = ParallelEdges::refuse, EdgeUse use = {});

/// Reads the file at options.path; a relative path starts at the working directory.
Topology make_topology(const GraphmlOptions& options, std::uint64_t seed);

}  // namespace lagnet
