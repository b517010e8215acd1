#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/network_options.hpp"

namespace lagnet {

/// Latencies between sites, in ms; not symmetric in general.
struct LatencyMatrix {
  std::vector<std::string> sites;
  std::map<std::string, std::size_t> place;  // of a site among them
  std::vector<double> ms;                    // row by row, the row being where a message comes from (sites x sites)
  std::string corner;                        // the first field of the header
  std::optional<bool> round_trip;            // its statement about the numbers; nothing for another word

  /// Whether its numbers are round-trip times, of which a latency is half; `said` is the scenario's own statement.
  bool is_round_trip(std::optional<bool> said) const { return said.value_or(round_trip.value_or(false)); }
  double at(std::size_t from, std::size_t to) const { return ms[from * sites.size() + to]; }
};

/// From a CSV file. The header's first field says what the numbers are: one_way_ms and latency_ms, or round_trip_ms and
/// rtt_ms; a word that names another unit is refused. The sites' names are its others; each further line is a site's
/// name and the latencies from it to the sites of the header. The lines may stand in any order, each site has one, and
/// numbers lie from 0 to 1e9; the diagonal is what messages within a site take. Throws Diagnosed that names each wrong
/// line, and each site without one.
LatencyMatrix read_latency_matrix(const std::filesystem::path& path);
/// From the file or the lines that the options name.
LatencyMatrix read_latency_matrix(const LatencyMatrixOptions& options);

/// The name of each agent's site: in the matrix of latencies as the scenario says, else of network.sites, else those of
/// the matrix in order, starting again after the last. Empty without any. Throws Diagnosed as read_latency_matrix()
/// does.
std::vector<std::string> sites_of_agents(const NetworkOptions& options, std::int64_t agents);

}  // namespace lagnet
