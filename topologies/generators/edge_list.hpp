#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/edge_attributes.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// A text file with one edge per line, its fields between commas, semicolons, tabs or blanks, as in the first line:
/// `from,to` or `from,to,weight`. A first line with these words is a header (or `source,target`, in any place and
/// case); its other columns are attributes of the edges, as EdgeAttributeReader reads them. Agents are numbered from 0,
/// or have names where the first edge has: then they are numbered as they appear. Blank lines and what follows a '#'
/// are skipped. In a digraph `from` sends to `to`, and the opposite arc is another line.
struct EdgeListOptions {
  static constexpr std::string_view kind = "edge_list";
  static constexpr std::string_view summary = "edges from a CSV or other text file: from,to or from,to,weight";
  std::filesystem::path path;
  std::optional<std::int64_t> agents;
  bool directed = false;
  ParallelEdges parallel_edges = ParallelEdges::refuse;

  static void fields(auto& self, auto& field) {
    field("path", self.path, "the file", any_value().required());
    field("agents", self.agents, "number of agents; by default the largest number in the file; each must have an edge",
          at_least(1));
    field("directed", self.directed, "true: a line is an arc, from the agent that sends to the one that hears");
    field("parallel_edges", self.parallel_edges, parallel_edges_words);
  }
  GraphSize size() const { return {1.0 * agents.value_or(0), 0}; }
};

/// Reads edges from `in`, called `name` in messages. Without `agents` every number from 0 to the largest must occur,
/// which detects a file that counts from 1. Throws Diagnosed with every problem of the file: "roads.csv:12:
/// expected ..., found ...".
Topology read_edge_list(std::istream& in, const std::string& name, std::optional<std::int64_t> agents = {},
                        EdgeDirection direction = EdgeDirection::both, ParallelEdges parallel = ParallelEdges::refuse);

/// Reads the file at options.path; a relative path starts at the working directory.
Topology make_topology(const EdgeListOptions& options, std::uint64_t seed);

}  // namespace lagnet
