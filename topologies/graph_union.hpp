#pragma once

#include <map>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.hpp"
#include "topologies/graph_notes.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// All edges of several graphs over the same agents, each once.
class GraphUnion {
 public:
  explicit GraphUnion(const Topology& first);

  /// Adds the edges of one more, with their notes. Returns why it does not fit: links that go one way, another number
  /// of agents, other names of nodes, or another weight, latency or bandwidth of an edge that was there before; its
  /// other edges are in then.
  std::vector<Diagnostic> add(const Topology& graph);
  /// Of all of them, with the positions, the places and the tries of the first.
  Topology topology() const;

 private:
  using Ends = std::pair<AgentId, AgentId>;
  void add_notes(const GraphNotes& notes, std::vector<Diagnostic>& problems);

  std::int64_t agents_;
  std::map<Ends, double> weights_;
  std::vector<Point> positions_;
  std::int64_t tries_;
  GraphNotes notes_;
  std::map<Ends, LinkNote> links_;  // of the notes
};

}  // namespace lagnet
