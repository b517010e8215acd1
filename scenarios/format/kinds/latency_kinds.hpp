#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/choice.hpp"
#include "sim/base/options.hpp"
#include "topologies/graph_notes.hpp"
#include "topologies/topology.hpp"

/// The kinds of latencies: drawn, from the distance between agents, or from a matrix between sites.
namespace lagnet {

struct LatencyDistanceOptions {
  static constexpr std::string_view kind = "distance";
  static constexpr std::string_view summary =
      "travel time of a signal between agents that have positions (random_geometric, or a GraphML file with Latitude "
      "and "
      "Longitude)";
  double meters_per_unit = 1e6;
  double signal_m_per_s = 2e8;
  double base_ms = 0;
  static void fields(auto& self, auto& field) {
    field(
        "meters_per_unit", self.meters_per_unit,
        "side of the square in which the agents lie, in m; 1e6 is 1000 km; of no use for agents with places on Earth, "
        "whose signals take 1.5 times the great circle",
        above_to(0, 1e15));
    field("signal_m_per_s", self.signal_m_per_s, "speed of the signal, in m/s; 2e8 in fiber, 3e8 in air", at_least(1));
    field("base_ms", self.base_ms, "added to every link's latency, in ms: 0.5", within(0, longest_latency_ms));
  }
  void check(auto& report) const {
    const double highest = base_ms + std::numbers::sqrt2 * meters_per_unit / signal_m_per_s * 1e3;  // the diagonal
    if (highest > longest_latency_ms)
      report("meters_per_unit", "a square whose diagonal takes at most 1e9 ms", meters_per_unit);
  }
};

struct LatencyMatrixOptions {
  static constexpr std::string_view kind = "matrix";
  static constexpr std::string_view summary = "measured or computed latencies between sites, from a CSV file";
  std::optional<std::filesystem::path> path;
  std::optional<std::vector<std::string>> lines;
  std::optional<bool> round_trip;
  std::optional<std::vector<std::string>> agents;
  // Of network.sites, without agents: their names, and the one of each agent.
  std::vector<std::string> sites = {};
  std::vector<std::uint32_t> site_of = {};
  static void fields(auto& self, auto& field) {
    field("path", self.path,
          "CSV file in ms: a header of site names, then a line for each site with its name and the latencies from it "
          "to the sites of the header; it may be asymmetric: \"regions.csv\"");
    field("lines", self.lines,
          "the lines of such a file, in place of a path: [\"round_trip_ms,paris,tokyo\", \"paris,0.75,210\", "
          "\"tokyo,210,0.75\"]");
    field("round_trip", self.round_trip,
          "true: the numbers are round-trip times, of which a link's latency is half; null: by the first field of the "
          "file, round_trip_ms or rtt_ms, or one_way_ms or latency_ms; one-way if it is another");
    field("agents", self.agents,
          "the site of each agent by name: [\"frankfurt\", \"tokyo\"]; null: by network.sites, or without these the "
          "sites of the file in order, starting again after the last");
  }
  void check(auto& report) const {
    if (!path && !lines) report("path", "a file, or its lines as \"lines\"", "none");
    if (path && lines) report("lines", "null beside a path", lines->size());
  }
  /// The file as errors and remarks call it.
  std::string shown() const { return path ? path->generic_string() : "network.latency_ms.lines"; }
};

using LinkLatency = std::function<double(AgentId from, AgentId to)>;  // in ms

/// Makes the latencies of the links of a topology, from the seed. Diagnostics are reported at the place of the choice;
/// the result is then useless. Remarks for the user are added to the last argument.
struct LatencyFamily {
  static constexpr std::string_view key = "kind", called = "latency", number_kind = "constant", number_key = "value";
  using Kinds = Catalogue<LinkLatency, const Topology&, std::uint64_t, CheckReport&, Remarks&>;
  static const Kinds& catalogue();
};

}  // namespace lagnet
