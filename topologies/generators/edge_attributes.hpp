#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/options.hpp"
#include "topologies/graph_notes.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// What becomes of several edges between the same nodes in one direction.
enum class ParallelEdges {
  refuse,
  merge,  // one edge: the least latency; bandwidths and weights that are stated are added up
  keep  // one edge of the graph, the first; what the others say is in GraphNotes::further. For networks beneath agents
};
constexpr auto spellings(ParallelEdges) {
  return std::array{Spelling{ParallelEdges::refuse, "refuse"}, Spelling{ParallelEdges::merge, "merge"}};
}
constexpr std::string_view parallel_edges_words =
    "several edges between the same nodes: refuse, or merge: one edge with the least latency, and the sums of the "
    "bandwidths and of the weights that the file states";

/// How to take edges that are there again.
Diagnostic why_not_parallel(std::size_t repeated);

/// Which of an edge's attributes are of use; the others are named as not used.
struct EdgeUse {
  bool weights = true, latencies = true, bandwidths = true;
};

/// The attributes of edges in the file of a graph: names are those of GraphML keys, or of columns; their case does not
/// matter. Understood are
///   - weights: `weight`;
///   - latencies in ms: `latency_ms`, `delay_ms`, `latency`, `delay`; in s: `latency_s`; round trips in ms, which are
///     halved: `rtt_ms`, `round_trip_ms`;
///   - bandwidths in bytes/s: `bandwidth_bytes_per_s`; in bit/s: `LinkSpeedRaw` (Topology Zoo), `bandwidth_bit_per_s`;
///     in Mbit/s: `bandwidth_mbit_per_s`; and `bandwidth`, `capacity` of texts with a unit.
/// A text with a unit is read by it: "10 ms", "1 Gbit". Other names are counted as not used.
class EdgeAttributeReader {
 public:
  explicit EdgeAttributeReader(EdgeUse use = {}) : use_(use) {}

  /// Takes the value of an edge, the k-th of the file; empty: it has none. Returns the expected form if it is wrong.
  std::optional<std::string> take(std::size_t edge, std::string_view name, std::string_view value);
  /// Notes an attribute of nodes that is not used.
  void skip(std::string_view name) { note(not_used_, std::string(name)); }

  /// The topology of these edges, the k-th being that of take(), with their attributes and `notes`. `file` names it in
  /// the remark about what was read. Throws Diagnosed.
  Topology topology(const std::string& file, std::int64_t agents, std::vector<Edge> edges, EdgeDirection direction,
                    ParallelEdges parallel, GraphNotes notes) &&;

 private:
  struct Value {
    double number = 0;
    std::size_t name = 0;  // the place of its name in read_
  };
  struct Values {
    std::optional<Value> weight, latency_ms, bandwidth_bytes_per_s;
  };
  static void note(std::vector<std::string>& names, std::string name);
  Values& of(std::size_t edge);
  static void merge(Values& into, const Values& other);
  void merge_parallel(std::vector<Edge>& edges, EdgeDirection direction, GraphNotes* keeps);
  static LinkNote note_of(const Edge& edge, const Values& values);
  std::string remark(const std::string& file, std::size_t edges) const;

  EdgeUse use_;
  std::vector<Values> values_;  // of the edges that have some, up to the last of them
  std::vector<std::string> read_, units_, not_used_;
  bool unit_was_assumed_ = false;
};

/// The text without blanks and line ends before and behind it.
std::string_view without_blanks(std::string_view text);

/// The units that a text has behind its number, as one of ms or one of bytes/s; nothing if it has none of them.
std::optional<double> milliseconds_of(std::string_view text);
std::optional<double> bytes_per_s_of(std::string_view text);

}  // namespace lagnet
