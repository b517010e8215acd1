#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/format/kinds/name_or_number.hpp"
#include "scenarios/format/kinds/signal_kinds.hpp"
#include "scenarios/json/fields.hpp"
#include "sim/accounts/costs.hpp"

/// Places where agents are: what a site gives its agents, and what they cost there.
namespace lagnet {

struct TrafficPriceOptions : TrafficPrices {
  static void fields(auto& self, auto& field) {
    field("same_site_per_gb", self.same_site_per_gb, "to agents of the site, in currency per 1e9 bytes", at_least(0));
    field("other_site_per_gb", self.other_site_per_gb, "to other sites of the same provider: 0.02", at_least(0));
    field("internet_per_gb", self.internet_per_gb, "to sites of other providers: 0.09", at_least(0));
  }
};

struct EnergyOptions : EnergyUse {
  static void fields(auto& self, auto& field) {
    field("joules_per_flop", self.joules_per_flop, "of each flop, in J: 5e-11", at_least(0));
    field("joules_per_byte_sent", self.joules_per_byte_sent, "of each byte that is sent, in J: 2e-8", at_least(0));
    field("joules_per_byte_received", self.joules_per_byte_received, "of each byte that arrives, in J: 1e-8",
          at_least(0));
    field("idle_w", self.idle_w, "while an agent is up and does not compute, in W: 60", at_least(0));
    field("busy_w", self.busy_w, "while it computes, beside joules_per_flop, in W", at_least(0));
  }
};

/// The interface of the server, where it differs from that of other agents of the site.
struct ServerSiteOptions {
  std::optional<Choice<SignalFamily>> up_bytes_per_s, down_bytes_per_s;
  static void fields(auto& self, auto& field) {
    field("up_bytes_per_s", self.up_bytes_per_s, "sending, in bytes per second; null: as the site's agents: 1.25e8");
    field("down_bytes_per_s", self.down_bytes_per_s, "receiving, likewise: 1.25e8");
  }
  void check(auto& report) const {
    if (!up_bytes_per_s && !down_bytes_per_s)
      report("up_bytes_per_s", "one of up_bytes_per_s and down_bytes_per_s, or both", "none");
  }
};

struct SiteOptions {
  std::string name;
  std::int64_t agents = 0;
  std::optional<NameOrNumber> node;
  std::optional<Choice<SignalFamily>> up_bytes_per_s, down_bytes_per_s;
  std::string provider;
  std::optional<TrafficPriceOptions> price;
  std::optional<EnergyOptions> energy;
  std::optional<double> carbon_g_per_kwh;
  std::optional<ServerSiteOptions> server;
  static void fields(auto& self, auto& field) {
    field("name", self.name, "its name in results, and in a latency matrix: \"frankfurt\"", any_value().required());
    field("agents", self.agents,
          "how many agents are there, beside the server of server_site; agents are numbered in the order of sites",
          within(0, max_subjects).required());
    field("node", self.node, "their node of the underlay, by name or number, if underlay.agents is null");
    field("up_bytes_per_s", self.up_bytes_per_s,
          "what each of its agents can send, in bytes per second; null: as network.up_bytes_per_s says: 1.25e7");
    field("down_bytes_per_s", self.down_bytes_per_s, "what each of its agents can receive, likewise: 1.25e7");
    field("provider", self.provider,
          "sites of the same provider, also without one, pay price.other_site_per_gb to each other: \"cloud\"");
    field("price", self.price,
          "price of what its agents send, by where it goes: {\"other_site_per_gb\": 0.02, \"internet_per_gb\": 0.09}");
    field("energy", self.energy,
          "energy that each of its agents takes: {\"joules_per_flop\": 5e-11, \"joules_per_byte_sent\": 2e-8, "
          "\"idle_w\": 60}");
    field("carbon_g_per_kwh", self.carbon_g_per_kwh, "carbon dioxide of that energy, in g per kWh: 380", at_least(0));
    field("server", self.server,
          "the interface of the server, if it is there and differs: {\"up_bytes_per_s\": 1.25e8}");
  }
  void check(auto& report) const {
    if (name.empty()) report("name", "a name", "none");
  }
};

}  // namespace lagnet
