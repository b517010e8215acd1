#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/options.hpp"
#include "topologies/generators/edge_attributes.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// Any graph or digraph, as a list of its edges; all weights are 1.
struct EdgesOptions {
  static constexpr std::string_view kind = "edges";
  static constexpr std::string_view summary = "the edges that stand here, each by its two agents";
  std::int64_t agents = 0;
  std::vector<std::vector<std::int64_t>> edges;
  bool directed = false;
  std::optional<std::vector<std::string>> names;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("edges", self.edges, "the edges, each once, by their two agents: [[0, 1], [1, 2]]", at_least(0).required());
    field("directed", self.directed, "true: the first agent of an edge sends to the second, and not the other way");
    field("names", self.names, "names of the agents, each once: [\"oslo\", \"rome\"]; null: their numbers");
  }
  void check(auto& report) const {
    // A graph of a sequence may leave agents alone, but there is no memory for many that nobody names.
    constexpr std::int64_t few = 1000;
    const std::int64_t most = std::max(few, static_cast<std::int64_t>(2 * edges.size()));
    if (agents > most) report("agents", "at most " + std::to_string(most) + " with so few edges", agents);
    check_names(report);
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const std::string place = "edges/" + std::to_string(k);
      if (edges[k].size() != 2) {
        report(place, "two agents", edges[k]);
        continue;
      }
      for (const std::int64_t end : edges[k])
        if (end >= agents) report(place, "agents below " + std::to_string(agents), end);
    }
  }
  void check_names(auto& report) const {
    if (!names) return;
    if (static_cast<std::int64_t>(names->size()) != agents)
      report("names", std::to_string(agents) + " names, one for each agent", static_cast<std::int64_t>(names->size()));
    std::set<std::string> seen;
    for (std::size_t k = 0; k < names->size(); ++k)
      if (!seen.insert((*names)[k]).second || (*names)[k].empty())
        report("names/" + std::to_string(k), "a name that no other agent has", (*names)[k]);
  }
  GraphSize size() const { return {1.0 * agents, 1.0 * edges.size()}; }
};

/// Throws Diagnosed for an edge from an agent to itself, and for one that is there twice, too.
Topology make_topology(const EdgesOptions& options, std::uint64_t seed);

/// The options that make this graph, without its weights.
EdgesOptions edges_options(const Topology& topology);

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
