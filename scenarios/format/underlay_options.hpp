#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/kinds/signal_kinds.hpp"
#include "scenarios/json/fields.hpp"

/// The network beneath the agents' links.
namespace lagnet {

/// A field that reads itself: names of nodes, or their number n for "0" .. "n-1".
struct NodeNames {
  std::vector<std::string> names;
  bool has_value() const { return !names.empty(); }
  void read(const Json& value, const std::string& pointer, Diagnostics& diagnostics);
  Json write() const { return names; }
  static Json schema(SchemaBuilder& builder);
  static std::string type_words() { return "list of strings, or integer"; }
  bool operator==(const NodeNames&) const = default;
};

enum class Duplex { full, half };
constexpr auto spellings(Duplex) { return std::array{Spelling{Duplex::full, "full"}, Spelling{Duplex::half, "half"}}; }

struct InnerLinkOptions {
  std::vector<std::string> ends;
  std::optional<Choice<SignalFamily>> latency_ms, bandwidth_bytes_per_s;
  bool both_ways = true;
  Duplex duplex = Duplex::full;
  std::string name;
  static void fields(auto& self, auto& field) {
    field("ends", self.ends, "its two nodes: [\"left\", \"right\"]", any_value().required());
    field("latency_ms", self.latency_ms, "time after its transmission, in ms; null: none");
    field("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s,
          "of each direction, in bytes per second; null: no limit");
    field("both_ways", self.both_ways, "false: only the direction from the first node to the second");
    field("duplex", self.duplex, "half: both directions share the bandwidth; full: each has its own");
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

struct UnderlayOptions {
  NodeNames nodes;
  std::vector<InnerLinkOptions> links;
  std::optional<std::vector<AgentName>> agents;
  std::vector<RouteOptions> routes;
  static void fields(auto& self, auto& field) {
    field("nodes", self.nodes, "names of nodes, or their number: [\"left\", \"right\"]");
    field(
        "links", self.links,
        "links between nodes: [{\"ends\": [\"left\", \"right\"], \"latency_ms\": 10, \"bandwidth_bytes_per_s\": 2e6}]");
    field("agents", self.agents,
          "the node of each agent, by name or number; null: as many nodes as agents, one each: [\"left\", \"right\"]");
    field("routes", self.routes,
          "routes that differ from the shortest by latency: [{\"from\": \"a\", \"to\": \"d\", \"via\": [\"b\"]}]");
  }
};

}  // namespace lagnet
