#include "scenarios/assembly/make_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "scenarios/format/collect_diagnostics.hpp"

namespace lagnet {

namespace {

std::vector<Interface> make_interfaces(const NetworkOptions& options, AgentId agents, std::uint64_t seed,
                                       Diagnostics& diagnostics) {
  if (!options.up_bytes_per_s && !options.down_bytes_per_s && options.interfaces.empty()) return {};
  std::vector<Interface> made(agents);
  for (AgentId a = 0; a < agents; ++a) {
    if (options.up_bytes_per_s) made[a].up_bytes_per_s = options.up_bytes_per_s->make(Draws(seed, Purpose{"up"}, a));
    if (options.down_bytes_per_s)
      made[a].down_bytes_per_s = options.down_bytes_per_s->make(Draws(seed, Purpose{"down"}, a));
  }
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < options.interfaces.size(); ++i)
    for (const std::int64_t agent : options.interfaces[i].agents) {
      if (agent >= agents)
        diagnostics.add(fmt::format("/network/interfaces/{}/agents", i), fmt::format("agents below {}", agents),
                        std::to_string(agent));
      else
        made[static_cast<std::size_t>(agent)] = {options.interfaces[i].up_bytes_per_s.value_or(unlimited),
                                                 options.interfaces[i].down_bytes_per_s.value_or(unlimited)};
    }
  return made;
}

std::vector<LinkSpec> bare_links(const Topology& topology) {
  std::vector<LinkSpec> links;
  for (const Edge& edge : topology.edges()) {
    links.push_back({.from = edge.from, .to = edge.to});
    if (!topology.is_directed()) links.push_back({.from = edge.to, .to = edge.from});
  }
  return links;
}

LinkDirections directions(const Topology& topology) {
  return topology.is_directed() ? LinkDirections::any : LinkDirections::both;
}

/// Gives the links that are unlike the others what is said of them; later entries last.
void set_some_links(const std::vector<SomeLinksOptions>& all, std::vector<LinkSpec>& links, Diagnostics& diagnostics) {
  if (all.empty()) return;
  std::map<std::pair<std::int64_t, std::int64_t>, LinkSpec*> by_ends;
  for (LinkSpec& link : links) by_ends[{link.from, link.to}] = &link;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all[i].links.size(); ++k) {
      const auto& ends = all[i].links[k];
      if (!by_ends.contains({ends[0], ends[1]})) {
        diagnostics.add(fmt::format("/network/links/{}/links/{}", i, k), "a link of the topology",
                        shown(write_value(ends)));
        continue;
      }
      const auto set = [&](LinkSpec& link) {
        if (all[i].latency_ms) link.latency = Duration::milliseconds(*all[i].latency_ms);
        if (all[i].bandwidth_bytes_per_s) link.bandwidth_bytes_per_s = *all[i].bandwidth_bytes_per_s;
      };
      set(*by_ends[{ends[0], ends[1]}]);
      const auto back = by_ends.find({ends[1], ends[0]});
      if (all[i].both_ways && back != by_ends.end()) set(*back->second);
    }
}

}  // namespace

Network make_network(const Topology& topology, const NetworkOptions& options, std::uint64_t seed,
                     const std::string& shown) {
  Diagnostics diagnostics(shown);
  const std::string place = "/network/latency_ms";
  check_network(options, diagnostics);
  CheckReport report(place, diagnostics);
  LinkLatency latency_ms;
  collect_diagnostics(diagnostics, place, [&] { latency_ms = options.latency_ms.make(topology, seed, report); });
  const auto agents = static_cast<AgentId>(topology.agents());
  std::vector<Interface> interfaces = make_interfaces(options, agents, seed, diagnostics);
  if (!diagnostics.empty()) {  // of the links' ends all can be told
    std::vector<LinkSpec> bare = bare_links(topology);
    set_some_links(options.links, bare, diagnostics);
    diagnostics.throw_if_any();
  }

  std::vector<LinkSpec> links;
  links.reserve((topology.is_directed() ? 1 : 2) * topology.edges().size());
  const auto link = [&](AgentId from, AgentId to) -> LinkSpec {
    const double rate = options.bandwidth_bytes_per_s.make(Draws(seed, Purpose{"bandwidth"}, from, to));
    return {from, to, Duration::milliseconds(latency_ms(from, to)), rate};
  };
  const auto between = [&](AgentId from, AgentId to) {
    LinkSpec made = options.symmetric ? link(std::min(from, to), std::max(from, to)) : link(from, to);
    made.from = from;
    made.to = to;
    return made;
  };
  for (const Edge& edge : topology.edges()) {
    links.push_back(between(edge.from, edge.to));
    if (topology.is_directed()) continue;
    LinkSpec back = options.symmetric ? links.back() : link(edge.to, edge.from);
    back.from = edge.to;
    back.to = edge.from;
    links.push_back(back);
  }
  set_some_links(options.links, links, diagnostics);
  diagnostics.throw_if_any();
  return Network(agents, std::move(links), std::move(interfaces), directions(topology));
}

Network bare_network(const Topology& topology) {
  return Network(static_cast<AgentId>(topology.agents()), bare_links(topology), {}, directions(topology));
}

}  // namespace lagnet
