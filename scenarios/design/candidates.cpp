#include "scenarios/design/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/assembly/catalogues/latency_matrix.hpp"
#include "scenarios/design/steady_rounds.hpp"
#include "topologies/designs/designs.hpp"
#include "topologies/generators/edge_list.hpp"
#include "topologies/generators/elementary.hpp"
#include "topologies/generators/random_graphs.hpp"
#include "topologies/gossip.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet {

namespace {

const LatencyMatrixOptions* matrix_of(const Scenario& scenario) {
  return scenario.network.latency_ms.options_as<LatencyMatrixOptions>();
}

/// The graph as a section of a scenario.
Json topology_json(const Topology& topology, const Json& own) {
  Json section{{"kind", EdgesOptions::kind}};
  section.update(write_fields(edges_options(topology)));
  if (section["names"].is_null()) section.erase("names");
  // A matrix of one's own, or weights of edges, belong to the graph that has them.
  if (own.contains("gossip") && own["gossip"].is_string() && own["gossip"] != spelled(GossipWeights::edge_weights))
    section["gossip"] = own["gossip"];
  return section;
}

Topology star(std::int64_t agents, AgentId center) {
  StarOptions options;
  options.agents = agents;
  options.center = center;
  return make_topology(options, 1);
}

RandomRegularOptions regular(std::int64_t agents, std::int64_t degree) {
  RandomRegularOptions options;
  options.agents = agents;
  options.degree = degree + (agents % 2 != 0 && degree % 2 != 0 ? 1 : 0);
  return options;
}

/// Where "links" of a scenario's network name pairs that a topology has no link for, which is refused, they are left
/// out.
Json links_of_topology(const Json& links, const Topology& topology) {
  Json kept = Json::array();
  const AgentNames names(topology);
  const auto agent_of = [&](const Json& end) {
    NameOrNumber name;
    Diagnostics ignored("");  // the scenario was read before
    name.read(end, "", ignored);
    return names.find(name);
  };
  for (Json some : links) {
    Json& pairs = some["links"];
    for (auto pair = pairs.begin(); pair != pairs.end();) {
      const auto from = agent_of((*pair)[0]), to = agent_of((*pair)[1]);
      pair = from && to && topology.sends(*from, *to) ? pair + 1 : pairs.erase(pair);
    }
    if (!pairs.empty()) kept.push_back(std::move(some));
  }
  return kept;
}

}  // namespace

std::vector<Candidate> proposed_topologies(const Delays& delays, std::optional<std::int64_t> degree, std::uint64_t seed,
                                           const Json& document, const std::vector<std::string>& names,
                                           const GraphNotes& notes) {
  const std::int64_t agents = delays.agents();
  std::vector<Candidate> candidates;
  const auto add = [&](std::string label, Topology proposed) {
    GraphNotes named;
    named.names = notes.names;
    const Topology topology = std::move(proposed).with_notes(std::move(named));
    Candidate one{.label = std::move(label),
                  .settings = {{"/topology", topology_json(topology, document["topology"])}}};
    const Json network = document.value("network", Json::object());
    if (network.contains("links")) one.settings["/network/links"] = links_of_topology(network["links"], topology);
    const auto is_same = [&](const Candidate& other) { return other.settings == one.settings; };
    if (std::ranges::none_of(candidates, is_same)) candidates.push_back(std::move(one));
  };
  add("minimum spanning tree", minimum_spanning_tree(delays));
  for (const std::int64_t most : degree ? std::vector{*degree} : std::vector<std::int64_t>{2, 3, 4})
    if (most >= 2) add(fmt::format("tree of degree {}", most), bounded_degree_tree(delays, most));
  add("short ring", short_ring(delays));
  const AgentId center = best_center(delays);
  add(fmt::format("star at {}", names[center]), star(agents, center));
  if (const RandomRegularOptions options = regular(agents, degree.value_or(3)); options.degree < agents)
    add(fmt::format("random regular, degree {}", options.degree), make_topology(options, seed));
  return candidates;
}

std::vector<Candidate> places_of_server(const Scenario& scenario, const ScenarioFile& file, std::int64_t agents) {
  std::vector<Candidate> candidates;
  if (scenario.network.server_site) {
    for (const SiteOptions& site : scenario.network.sites)
      candidates.push_back(
          {.label = fmt::format("server in {}", site.name), .settings = {{"/network/server_site", site.name}}});
    return candidates;
  }
  const LatencyMatrixOptions* options = matrix_of(scenario);
  if (!options)
    throw DesignError(
        fmt::format("{}: {} has a server, which is agent 0 and the center of every topology, so that only its place "
                    "can be chosen: expected network.server_site, or network.latency_ms of kind matrix, found {}",
                    file.shown, scenario.algorithm.kind(), scenario.network.latency_ms.kind()));
  const Json own = file.document["network"]["latency_ms"].value("agents", Json());
  const LatencyMatrix matrix = read_latency_matrix(*options);
  for (const std::string& site : matrix.sites) {
    Candidate one{.label = fmt::format("server in {}", site)};
    if (own.is_array()) {
      one.settings["/network/latency_ms/agents/0"] = site;
    } else {
      Json sites = names_of_agents(scenario, agents, GraphNotes());
      sites[0] = site;
      one.settings["/network/latency_ms/agents"] = std::move(sites);
    }
    candidates.push_back(std::move(one));
  }
  return candidates;
}

std::vector<std::string> names_of_agents(const Scenario& scenario, std::int64_t agents, const GraphNotes& notes) {
  if (!notes.names.empty()) return notes.names;
  std::vector<std::string> names = sites_of_agents(scenario.network, agents);
  if (!names.empty()) return names;
  for (std::int64_t agent = 0; agent < agents; ++agent) names.push_back(fmt::format("agent {}", agent));
  return names;
}

}  // namespace lagnet
