#include "scenarios/assembly/make_sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lagnet {

std::vector<SiteId> place_agents(const NetworkOptions& options, AgentId agents, Diagnostics& diagnostics) {
  std::vector<SiteId> of_agents;
  if (options.sites.empty()) return of_agents;
  const std::int64_t servers = options.server_site ? 1 : 0;
  std::int64_t count = 0;
  for (const SiteOptions& site : options.sites) count += site.agents;
  if (count + servers != agents) {
    diagnostics.add("/network/sites",
                    fmt::format("counts of agents that add up to {}{}", agents - servers,
                                servers > 0 ? ", the agents beside the server" : ""),
                    fmt::format("{}", count));
    of_agents.resize(agents);
    return of_agents;
  }
  const auto place = [&](const std::string& name) {
    return static_cast<SiteId>(std::ranges::find(options.sites, name, &SiteOptions::name) - options.sites.begin());
  };
  if (options.server_site) of_agents.push_back(place(*options.server_site));
  for (SiteId site = 0; site < options.sites.size(); ++site)
    of_agents.insert(of_agents.end(), static_cast<std::size_t>(options.sites[site].agents), site);
  return of_agents;
}

Choice<LatencyFamily> latency_by_sites(const NetworkOptions& options, const std::vector<SiteId>& of_agents) {
  const auto* given = options.latency_ms.options_as<LatencyMatrixOptions>();
  if (!given || given->agents || of_agents.empty()) return options.latency_ms;
  LatencyMatrixOptions matrix = *given;
  for (const SiteOptions& site : options.sites) matrix.sites.push_back(site.name);
  matrix.site_of = of_agents;
  return Choice<LatencyFamily>(std::move(matrix));
}

CostModel make_costs(const NetworkOptions& options, const Network& network) {
  std::vector<Site> sites;
  for (const SiteOptions& one : options.sites)
    sites.push_back({.name = one.name,
                     .provider = one.provider,
                     .price = one.price,
                     .energy = one.energy,
                     .carbon_g_per_kwh = one.carbon_g_per_kwh});
  std::vector<double> inner;
  if (options.underlay &&
      std::ranges::any_of(options.underlay->links, [](const auto& link) { return link.joules_per_byte > 0; }))
    for (LinkId link = 0; link < network.links(); ++link) inner.push_back(network.inner_joules_per_byte(link));
  Diagnostics none("");  // the network was made
  return {std::move(sites), place_agents(options, network.agents(), none), std::move(inner)};
}

}  // namespace lagnet
