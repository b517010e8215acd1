#include "sim/accounts/costs.hpp"

#include <algorithm>

namespace lagnet {

namespace {

constexpr double bytes_per_gb = 1e9, joules_per_kwh = 3.6e6;

void add(std::optional<double>& sum, const std::optional<double>& other) {
  if (other) sum = sum.value_or(0) + *other;
}

}  // namespace

Costs& Costs::operator+=(const Costs& other) {
  add(price, other.price);
  add(joules, other.joules);
  add(grams, other.grams);
  return *this;
}

CostModel::CostModel(std::vector<Site> sites, std::vector<SiteId> of_agents, std::vector<double> inner_joules_per_byte)
    : sites_(std::move(sites)),
      of_agents_(std::move(of_agents)),
      inner_joules_per_byte_(std::move(inner_joules_per_byte)) {
  for (const Site& site : sites_) {
    has_.price |= site.price.has_value();
    has_.joules |= site.energy.has_value();
    has_.grams |= site.carbon_g_per_kwh.has_value();
  }
}

double CostModel::price(AgentId from, AgentId to, Bytes bytes) const {
  const Site &site = sites_[of_agents_[from]], &other = sites_[of_agents_[to]];
  if (!site.price) return 0;
  const double per_gb = of_agents_[from] == of_agents_[to] ? site.price->same_site_per_gb
                        : site.provider == other.provider  ? site.price->other_site_per_gb
                                                           : site.price->internet_per_gb;
  return static_cast<double>(bytes) / bytes_per_gb * per_gb;
}

Costs CostModel::of(AgentId agent, const AgentAccount& account, double price, Time at) const {
  Costs costs;
  if (sites_.empty()) return costs;
  const Site& site = sites_[of_agents_[agent]];
  if (has_.price) costs.price = price;
  if (has_.joules) costs.joules = 0;
  if (has_.grams) costs.grams = 0;
  if (!site.energy) return costs;
  const EnergyUse& use = *site.energy;
  const double computing_s = account.computing.in_seconds();
  costs.joules = static_cast<double>(account.flops) * use.joules_per_flop +
                 static_cast<double>(account.bytes_sent) * use.joules_per_byte_sent +
                 static_cast<double>(account.bytes_received) * use.joules_per_byte_received + use.busy_w * computing_s +
                 use.idle_w * (at.in_seconds() - computing_s - account.away.in_seconds());
  if (has_.grams) costs.grams = *costs.joules / joules_per_kwh * site.carbon_g_per_kwh.value_or(0);
  return costs;
}

Costs CostModel::of(AgentId agent, const Ledger& ledger, const Network& network, Time at) const {
  if (is_empty()) return {};
  double sum = 0;
  const LinkId first = network.first_link(agent);
  for (LinkId k = 0; has_.price && k < network.links_of(agent).size(); ++k)
    sum += price(agent, network.links_of(agent)[k].to, ledger.link(first + k).bytes_sent);
  return of(agent, ledger.agent_at(agent, at), sum, at);
}

Costs CostModel::of_run(AgentId agent, const Ledger& ledger, const Network& network, Time at) const {
  Costs costs = of(agent, ledger, network, at);
  if (inner_joules_per_byte_.empty()) return costs;
  const LinkId first = network.first_link(agent);
  for (LinkId link = first; link < first + network.links_of(agent).size(); ++link)
    add(costs.joules, static_cast<double>(ledger.link(link).bytes_sent) * inner_joules_per_byte_[link]);
  return costs;
}

}  // namespace lagnet
