#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "topologies/designs/delays.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet {

/// A topology that is proposed, or a place of the server.
struct Candidate {
  std::string label;
  Json settings = Json::object();  // JSON pointers to values, as a point of a sweep has them
};

/// The minimum spanning tree, trees of a smaller degree (that one, or else 2, 3 and 4), a short ring, the star at the
/// best center, and as a control a random regular graph of that degree (or else 3, one more where there is none), drawn
/// by the scenario's seed. Duplicates are left out. `document`: of the scenario, whose other keys of the topology stay;
/// `notes`: of its topology, whose names the agents keep. `names`: what to call the agents.
std::vector<Candidate> proposed_topologies(const Delays& delays, std::optional<std::int64_t> degree, std::uint64_t seed,
                                           const Json& document, const std::vector<std::string>& names,
                                           const GraphNotes& notes);

/// The server, agent 0, at each of the sites of the scenario's latencies. Throws DesignError where they are no matrix.
std::vector<Candidate> places_of_server(const Scenario& scenario, const ScenarioFile& file, std::int64_t agents);

/// The names of the agents: by the nodes of a topology that has names, else by their sites where latencies are a
/// matrix, else by their numbers.
std::vector<std::string> names_of_agents(const Scenario& scenario, std::int64_t agents, const GraphNotes& notes);

}  // namespace lagnet
