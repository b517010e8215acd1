#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/kinds/signal_kinds.hpp"
#include "scenarios/json/fields.hpp"
#include "sim/world/network.hpp"

/// The network beneath the agents' links.
namespace lagnet {

/// A field that reads itself: names of nodes, or their number n for "0" .. "n-1".
struct NodeNames {
  std::vector<std::string> names;
  bool has_value() const { return true; }  // or a file has them
  void read(const Json& value, const std::string& pointer, Diagnostics& diagnostics);
  Json write() const { return names; }
  static Json schema(SchemaBuilder& builder);
  static std::string type_words() { return "list of strings, or integer"; }
  bool operator==(const NodeNames&) const = default;
};

constexpr auto spellings(QueueLimit::WhenFull) {
  return std::array{Spelling{QueueLimit::WhenFull::drop_tail, "drop_tail"},
                    Spelling{QueueLimit::WhenFull::drop_oldest, "drop_oldest"},
                    Spelling{QueueLimit::WhenFull::backpressure, "backpressure"}};
}

/// How much may wait at an interface or a link.
struct QueueOptions {
  std::optional<std::int64_t> bytes, messages;
  QueueLimit::WhenFull full = QueueLimit::WhenFull::drop_tail;
  static void fields(auto& self, auto& field) {
    field("bytes", self.bytes, "bytes that may wait; null: no limit: 250000", at_least(1));
    field("messages", self.messages, "messages that may wait; null: no limit: 2", at_least(1));
    field("full", self.full,
          "what happens to more; drop_tail: what comes is lost; drop_oldest: what has waited longest is lost; "
          "backpressure: messages stay at their sender until there is room on all of their path");
  }
  void check(auto& report) const {
    if (!bytes && !messages) report("bytes", "a limit of bytes or messages, or both", "none");
  }
};

enum class Duplex { full, half };
constexpr auto spellings(Duplex) { return std::array{Spelling{Duplex::full, "full"}, Spelling{Duplex::half, "half"}}; }

struct InnerLinkOptions {
  std::vector<std::string> ends;
  std::optional<Choice<SignalFamily>> latency_ms, bandwidth_bytes_per_s, loss_probability;
  bool both_ways = true;
  Duplex duplex = Duplex::full;
  std::optional<QueueOptions> queue;
  double joules_per_byte = 0;
  std::string name;
  static void fields(auto& self, auto& field) {
    field("ends", self.ends, "its two nodes: [\"left\", \"right\"]", any_value().required());
    field("latency_ms", self.latency_ms, "time after its transmission, in ms; null: none");
    field("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s,
          "of each direction, in bytes per second; null: no limit");
    field("loss_probability", self.loss_probability, "probability that a message is lost there: 0.01; null: none is");
    field("both_ways", self.both_ways, "false: only the direction from the first node to the second");
    field("duplex", self.duplex, "half: both directions share the bandwidth; full: each has its own");
    field("queue", self.queue, "what may wait for each direction: {\"messages\": 100}; null: anything");
    field("joules_per_byte", self.joules_per_byte,
          "energy of each byte that is sent over it, in J, which belongs to no site: 2e-8", at_least(0));
    field("name", self.name, "its name, by which results and outages know it; empty: its nodes");
  }
  void check(auto& report) const {
    if (ends.size() != 2) return report("ends", "two nodes", ends.size());
    if (ends[0] == ends[1]) report("ends", "two different nodes", ends[0]);
    if (!both_ways && duplex == Duplex::half)
      report("duplex", "full, since the link has only one direction", std::string("half"));
  }
};

struct RouteOptions {
  std::string from, to;
  std::vector<std::string> via;
  static void fields(auto& self, auto& field) {
    field("from", self.from, "the first node", any_value().required());
    field("to", self.to, "the last node", any_value().required());
    field("via", self.via, "the nodes between them, in order");
  }
};

/// What becomes of several edges between the same nodes of a file.
enum class ParallelLinks { keep, merge, refuse };
constexpr auto spellings(ParallelLinks) {
  return std::array{Spelling{ParallelLinks::keep, "keep"}, Spelling{ParallelLinks::merge, "merge"},
                    Spelling{ParallelLinks::refuse, "refuse"}};
}

enum class UnderlayLatency { distance };
constexpr auto spellings(UnderlayLatency) { return std::array{Spelling{UnderlayLatency::distance, "distance"}}; }

struct UnderlayOptions {
  NodeNames nodes;
  std::optional<std::filesystem::path> path;
  std::optional<UnderlayLatency> latency_from;
  ParallelLinks parallel_edges = ParallelLinks::keep;
  std::vector<InnerLinkOptions> links;
  std::optional<std::vector<NameOrNumber>> agents;
  std::vector<RouteOptions> routes;
  bool reroute = false;
  static void fields(auto& self, auto& field) {
    field("nodes", self.nodes, "names of nodes, or their number: [\"left\", \"right\"]");
    field("path", self.path,
          "a file in place of nodes and links, with latencies and bandwidths of its edges: GraphML, as of the Internet "
          "Topology Zoo, or an edge list, which ends in .csv, .tsv or .txt: \"Geant2012.graphml\"");
    field(
        "parallel_edges", self.parallel_edges,
        "several edges of the file between the same nodes; keep: a link each, and a route takes the first one of least "
        "latency; merge: one link with the least latency, and the sum of the bandwidths; refuse: an error");
    field(
        "latency_from", self.latency_from,
        "distance: a link of the file takes 1.5 times the great circle between the places of its nodes, at 200 km/ms; "
        "null: what the file says");
    field(
        "links", self.links,
        "links between nodes: [{\"ends\": [\"left\", \"right\"], \"latency_ms\": 10, \"bandwidth_bytes_per_s\": 2e6}]");
    field("agents", self.agents,
          "the node of each agent, by name or number; null: as many nodes as agents, one each: [\"left\", \"right\"]");
    field("routes", self.routes,
          "routes that differ from the shortest by latency: [{\"from\": \"a\", \"to\": \"d\", \"via\": [\"b\"]}]");
    field(
        "reroute", self.reroute,
        "true: each start and end of an outage of inner links changes the routes: messages that depart later take the "
        "shortest route over the links that are on, but a stated route stays while all of its links are on; a message "
        "without a route is lost at once; false: routes do not change during the run");
  }
  void check(auto& report) const {
    if (path && !nodes.names.empty()) report("nodes", "none beside a path", nodes.names.size());
    if (path && !links.empty()) report("links", "none beside a path", links.size());
    if (!path && nodes.names.empty()) report("nodes", "names of nodes, or a path", "none");
    if (latency_from && !path) report("latency_from", "null without a path", std::string(spelled(*latency_from)));
    if (parallel_edges != ParallelLinks::keep && !path)
      report("parallel_edges", "keep without a path", std::string(spelled(parallel_edges)));
    const bool takes_energy = std::ranges::any_of(links, [](const auto& one) { return one.joules_per_byte > 0; });
    if (reroute && takes_energy)
      report("reroute", "false where links have joules_per_byte, since only bytes of agents are counted", true);
  }
};

struct MediumOptions {
  std::string name;
  std::optional<std::vector<NameOrNumber>> agents;
  double bandwidth_bytes_per_s = 0;
  double overhead_us = 0;
  bool relay = false, broadcast_once = false;
  static void fields(auto& self, auto& field) {
    field("name", self.name, "its name in results: \"cell\"", any_value().required());
    field("agents", self.agents, "its members, two or more, by number or name: [0, 1, 2]; null: all agents");
    field("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s,
          "of all messages together, in bytes per second; the bandwidth of a link is the rate of its pair, if it is "
          "lower",
          at_least(1).required());
    field("overhead_us", self.overhead_us, "time in which the medium is busy with each message besides, in us",
          within(0, 1e9));
    field("relay", self.relay, "true: members reach each other through an access point, by two transmissions");
    field("broadcast_once", self.broadcast_once,
          "true: a broadcast to members is one transmission, at the lowest of their rates");
  }
  void check(auto& report) const {
    if (agents && agents->size() < 2) report("agents", "two agents or more", agents->size());
  }
};

}  // namespace lagnet
