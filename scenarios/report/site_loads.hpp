#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/results/recorded_runs.hpp"
#include "topologies/graph_notes.hpp"

/// Where the agents of a run are, and what its sites sent to each other.
namespace lagnet {

struct RunSites {
  std::vector<std::string> names;       // of sites that have agents, in the order of their first agents
  std::vector<std::size_t> of_agents;   // the site of each agent (agents)
  std::vector<std::vector<double>> ms;  // the latencies of a matrix, one way (sites x sites); empty without one
  std::vector<Place> places;            // of their nodes in an underlay (sites); empty unless all have one
  std::optional<std::size_t> server;    // the site of the server, if there is one
  std::string name_of(std::size_t agent) const { return names[of_agents[agent]]; }
};

/// Nothing where a run has no sites, or a file that names them is gone.
std::optional<RunSites> sites_of_run(const RecordedRun& run, std::int64_t agents);

/// {"names", "agents": how many are at each, "server": a site or null, "ms": the matrix or null, "places": [[latitude,
/// longitude], ..] in degrees or null, "bytes_sent" and of
/// "price", "joules" and "grams" those that the run has, at each site, "links": [[from, to, bytes, latency in ms], ..]
/// between sites that differ, with the least latency of their links}.
Json site_loads(const RunSites& sites, const ProgressTable& agents, const ProgressTable& links);

}  // namespace lagnet
