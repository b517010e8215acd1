#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/remark.hpp"
#include "sim/base/types.hpp"

/// Attributes of nodes and edges in the file of a graph.
namespace lagnet {

/// The longest latency in ms, eleven days: simulated time ends after 292 years.
constexpr double longest_latency_ms = 1e9;

/// The values of one directed link; nothing: those of the other links.
struct LinkNote {
  AgentId from = 0, to = 0;
  std::optional<double> latency_ms, bandwidth_bytes_per_s;
  bool operator==(const LinkNote&) const = default;
};

/// What one agent can send and receive over all its links; nothing: like the other agents.
struct InterfaceNote {
  AgentId agent = 0;
  std::optional<double> up_bytes_per_s, down_bytes_per_s;
  bool operator==(const InterfaceNote&) const = default;
};

/// A place on Earth, in degrees.
struct Place {
  double latitude = 0, longitude = 0;
  bool operator==(const Place&) const = default;
};

struct GraphNotes {
  std::vector<std::string> names;            // of the agents (m), each once; empty if they are their numbers
  std::vector<std::optional<Place>> places;  // of the agents (m); empty if the file has none
  std::vector<LinkNote> links;               // both directions of an edge without directions
  std::vector<LinkNote> further;             // of edges beside the first one between two nodes, where they are kept
  std::vector<InterfaceNote> interfaces;
  bool has_weights = false;  // some edge has a weight in the file
  Remarks remarks;           // what was read, and what was not
};

/// The one-way latency between two places in ms: `stretch` 1.5 times the great circle on a sphere of 6371 km radius, at
/// 200 km/ms, and at least 50 km. scenarios/data/latency/README.md has the formula and where it comes from.
double latency_of_distance_ms(const Place& from, const Place& to);
/// The great circle between them, in km.
double great_circle_km(const Place& from, const Place& to);

class Topology;
struct Point;
/// Places in the unit square for pictures (m), north up: the map of the places, widths shrunk by the cosine of the
/// middle latitude. An agent without a place is drawn between those of its neighbors that have one. Empty without
/// places.
std::vector<Point> map_positions(const Topology& topology, const std::vector<std::optional<Place>>& places);

}  // namespace lagnet
