#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// A GraphML file of one graph, as networkx, igraph and Gephi write them. The nodes become agents 0, 1, ... in the
/// file's order. An edge attribute called "weight" gives the weights; all other attributes are ignored.
struct GraphmlOptions {
  static constexpr std::string_view kind = "graphml";
  static constexpr std::string_view summary = "nodes, edges and edge weights from a GraphML file";
  std::filesystem::path path;
  bool directed = false;

  static void fields(auto& self, auto& field) {
    field("path", self.path, "the file", any_value().required());
    field("directed", self.directed,
          "true: of a digraph, whose edgedefault is \"directed\"; the source of an edge sends");
  }
  GraphSize size() const { return {}; }
};

/// Reads the first graph of `in`, called `name` in messages. Throws TopologyError: one line for a file that is no
/// GraphML of such a graph, else every problem of its edges, which are numbered from 0.
Topology read_graphml(std::istream& in, const std::string& name, EdgeDirection direction = EdgeDirection::both);

/// Reads the file at options.path; a relative path starts at the working directory.
Topology make_topology(const GraphmlOptions& options, std::uint64_t seed);

}  // namespace lagnet
