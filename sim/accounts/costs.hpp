#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/accounts/ledger.hpp"
#include "sim/base/types.hpp"
#include "sim/world/network.hpp"

/// What a run costs: money for bytes, energy and carbon, by the sites where agents are. It follows from the ledger's
/// counts, so that it changes no event.
namespace lagnet {

using SiteId = std::uint32_t;

/// The price of what agents of a site send, per 1e9 bytes.
struct TrafficPrices {
  double same_site_per_gb = 0;
  double other_site_per_gb = 0;  // of the same provider
  double internet_per_gb = 0;    // anywhere else
};

struct EnergyUse {
  double joules_per_flop = 0, joules_per_byte_sent = 0, joules_per_byte_received = 0;
  double idle_w = 0;  // while an agent is up and does not compute
  double busy_w = 0;  // while it computes
};

struct Site {
  std::string name, provider;
  std::optional<TrafficPrices> price;
  std::optional<EnergyUse> energy;
  std::optional<double> carbon_g_per_kwh;
};

/// Nothing where no site states it; a site that does not, where others do, adds 0.
struct Costs {
  std::optional<double> price, joules, grams;
  Costs& operator+=(const Costs& other);
};

/// Where agents are, and what they pay there.
class CostModel {
 public:
  CostModel() = default;
  /// `of_agents`: the site of each agent; empty where there are no sites. `inner_joules_per_byte`: of each link what
  /// its inner links take, which belongs to no site; empty where they take nothing.
  CostModel(std::vector<Site> sites, std::vector<SiteId> of_agents, std::vector<double> inner_joules_per_byte = {});

  const std::vector<Site>& sites() const { return sites_; }
  /// Of an agent; there are sites.
  SiteId site(AgentId agent) const { return of_agents_[agent]; }
  const std::string& site_name(AgentId agent) const { return sites_[of_agents_[agent]].name; }
  bool has_prices() const { return has_.price; }
  /// Whether nothing costs anything.
  bool is_empty() const { return !has_.price && !has_.joules && !has_.grams && inner_joules_per_byte_.empty(); }

  /// The price of these bytes; there are sites.
  double price(AgentId from, AgentId to, Bytes bytes) const;
  /// The costs of an agent up to a moment, by its account and the price of what it sent.
  Costs of(AgentId agent, const AgentAccount& account, double price, Time at) const;
  /// The same by the ledger.
  Costs of(AgentId agent, const Ledger& ledger, const Network& network, Time at) const;
  /// The same with the energy of inner links for its messages.
  Costs of_run(AgentId agent, const Ledger& ledger, const Network& network, Time at) const;

 private:
  std::vector<Site> sites_;
  std::vector<SiteId> of_agents_;
  std::vector<double> inner_joules_per_byte_;
  struct {
    bool price = false, joules = false, grams = false;
  } has_;  // what some site states
};

}  // namespace lagnet
