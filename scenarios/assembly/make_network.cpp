#include "scenarios/assembly/make_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "scenarios/assembly/make_sites.hpp"
#include "scenarios/assembly/make_underlay.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet {

namespace {

/// What an option says; nothing where it is null.
std::optional<Signal> signal(const std::optional<Choice<SignalFamily>>& options, SignalRole role,
                             const std::string& pointer, Diagnostics& diagnostics) {
  CheckReport report(pointer, diagnostics);
  return options ? std::optional(options->make(role, report)) : std::nullopt;
}

void set(double& number, std::shared_ptr<const Schedule>& schedule, const std::optional<Signal>& signal) {
  if (!signal) return;
  number = signal->value;
  schedule = signal->schedule;
}
void set(Duration& latency, std::shared_ptr<const Schedule>& schedule, const std::optional<Signal>& signal_ms) {
  if (!signal_ms) return;
  latency = Duration::milliseconds(signal_ms->value);
  schedule = signal_ms->schedule;
}

/// Rates of agents or links: drawn for each, or one that changes with time, which is read once.
class RateOfEach {
 public:
  RateOfEach(const std::optional<Choice<RateFamily>>& options, const std::string& pointer, Diagnostics& diagnostics)
      : options_(options), report_(pointer, diagnostics) {
    if (options_ && changes_with_time(*options_)) common_ = options_->make(Draws(0, Purpose{"none"}), report_);
  }
  std::optional<Signal> of(Draws draws) const {
    return common_ || !options_ ? common_ : std::optional(options_->make(draws, report_));
  }

 private:
  const std::optional<Choice<RateFamily>>& options_;
  mutable CheckReport report_;
  std::optional<Signal> common_;
};

/// Gives agents the interfaces of their sites, and agent 0 that of a server, where these say something.
void set_site_interfaces(const std::vector<SiteOptions>& sites, const std::vector<SiteId>& site_of,
                         std::vector<Interface>& interfaces, Diagnostics& diagnostics) {
  const auto read = [&](const auto& options, const std::string& here) {
    const auto rate = [&](const auto& numbers, const std::string& key) {
      return signal(numbers, SignalRole::bandwidth_bytes_per_s, here + key, diagnostics);
    };
    return std::pair(rate(options.up_bytes_per_s, "/up_bytes_per_s"),
                     rate(options.down_bytes_per_s, "/down_bytes_per_s"));
  };
  const auto give = [&](Interface& interface, const auto& rates) {
    set(interface.up_bytes_per_s, interface.up, rates.first);
    set(interface.down_bytes_per_s, interface.down, rates.second);
  };
  for (SiteId site = 0; site < sites.size(); ++site) {
    const std::string here = fmt::format("/network/sites/{}", site);
    const auto rates = read(sites[site], here);
    for (AgentId a = 0; a < site_of.size(); ++a)
      if (site_of[a] == site) give(interfaces[a], rates);
    const auto of_server = read(sites[site].server.value_or(ServerSiteOptions()), here + "/server");
    if (site_of[0] == site) give(interfaces[0], of_server);
  }
}

std::vector<Interface> make_interfaces(const NetworkOptions& options, const Topology& topology, std::uint64_t seed,
                                       const AgentNames& names, const std::vector<SiteId>& site_of,
                                       Diagnostics& diagnostics) {
  const std::vector<InterfaceNote>& noted = topology.notes().interfaces;
  if (!options.up_bytes_per_s && !options.down_bytes_per_s && options.interfaces.empty() && noted.empty() &&
      !options.has_site_limits())
    return {};
  const AgentId agents = names.agents();
  std::vector<Interface> made(agents);
  const RateOfEach up(options.up_bytes_per_s, "/network/up_bytes_per_s", diagnostics);
  const RateOfEach down(options.down_bytes_per_s, "/network/down_bytes_per_s", diagnostics);
  for (AgentId a = 0; a < agents; ++a) {
    set(made[a].up_bytes_per_s, made[a].up, up.of(Draws(seed, Purpose{"up"}, a)));
    set(made[a].down_bytes_per_s, made[a].down, down.of(Draws(seed, Purpose{"down"}, a)));
  }
  for (const InterfaceNote& note : noted) {
    if (note.up_bytes_per_s) made[note.agent].up_bytes_per_s = *note.up_bytes_per_s;
    if (note.down_bytes_per_s) made[note.agent].down_bytes_per_s = *note.down_bytes_per_s;
  }
  if (!site_of.empty()) set_site_interfaces(options.sites, site_of, made, diagnostics);
  for (std::size_t i = 0; i < options.interfaces.size(); ++i) {
    const std::string here = fmt::format("/network/interfaces/{}", i);
    Interface interface;
    set(interface.up_bytes_per_s, interface.up,
        signal(options.interfaces[i].up_bytes_per_s, SignalRole::bandwidth_bytes_per_s, here + "/up_bytes_per_s",
               diagnostics));
    set(interface.down_bytes_per_s, interface.down,
        signal(options.interfaces[i].down_bytes_per_s, SignalRole::bandwidth_bytes_per_s, here + "/down_bytes_per_s",
               diagnostics));
    interface.up_queue = queue_limit(options.interfaces[i].up_queue);
    interface.down_queue = queue_limit(options.interfaces[i].down_queue);
    for (const NameOrNumber& agent : options.interfaces[i].agents) {
      if (const auto id = names.find(agent))
        made[*id] = interface;
      else
        diagnostics.add(fmt::format("/network/interfaces/{}/agents", i), names.expected(agent), lagnet::shown(agent));
    }
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

using LinksByEnds = std::map<std::pair<AgentId, AgentId>, LinkSpec*>;

/// Gives links what the file of the topology says of them.
void set_noted_links(const GraphNotes& notes, const LinksByEnds& by_ends) {
  for (const LinkNote& note : notes.links) {
    const auto found = by_ends.find({note.from, note.to});
    if (found == by_ends.end()) continue;
    if (note.latency_ms) found->second->latency = Duration::milliseconds(*note.latency_ms);
    if (note.bandwidth_bytes_per_s) found->second->bandwidth_bytes_per_s = *note.bandwidth_bytes_per_s;
  }
}

/// Gives the links that are unlike the others what is said of them; later entries last.
void set_some_links(const std::vector<SomeLinksOptions>& all, const GraphNotes& notes, std::vector<LinkSpec>& links,
                    const AgentNames& names, Diagnostics& diagnostics) {
  if (all.empty() && notes.links.empty()) return;
  LinksByEnds by_ends;
  for (LinkSpec& link : links) by_ends[{link.from, link.to}] = &link;
  set_noted_links(notes, by_ends);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string here = fmt::format("/network/links/{}", i);
    const auto latency_ms = signal(all[i].latency_ms, SignalRole::latency_ms, here + "/latency_ms", diagnostics);
    const auto rate = signal(all[i].bandwidth_bytes_per_s, SignalRole::bandwidth_bytes_per_s,
                             here + "/bandwidth_bytes_per_s", diagnostics);
    const auto loss = signal(all[i].loss_probability, SignalRole::probability, here + "/loss_probability", diagnostics);
    for (std::size_t k = 0; k < all[i].links.size(); ++k) {
      const auto& ends = all[i].links[k];
      const auto from = names.find(ends[0]), to = names.find(ends[1]);
      const auto there = from && to ? by_ends.find({*from, *to}) : by_ends.end();
      if (there == by_ends.end()) {
        const std::optional<NameOrNumber> unknown = !from ? std::optional(ends[0])
                                                    : !to ? std::optional(ends[1])
                                                          : std::nullopt;
        diagnostics.add(fmt::format("/network/links/{}/links/{}", i, k),
                        unknown && !unknown->name.empty() ? names.expected(*unknown) : "a link of the topology",
                        lagnet::shown(write_value(ends)));
        continue;
      }
      const auto set_link = [&](LinkSpec& link) {
        set(link.latency, link.latency_ns, latency_ms);
        set(link.bandwidth_bytes_per_s, link.bandwidth, rate);
        if (loss) link.loss = {loss->value, loss->schedule};
        if (all[i].queue) link.queue = queue_limit(all[i].queue);
      };
      set_link(*there->second);
      const auto back = by_ends.find({*to, *from});
      if (all[i].both_ways && back != by_ends.end()) set_link(*back->second);
    }
  }
}

std::shared_ptr<const FaultRule> make_partition_rule(const PartitionWindowOptions& options, const AgentNames& names,
                                                     CheckReport& report) {
  std::vector<std::uint32_t> group(names.agents(), 0);  // 0: those that are not listed
  for (std::size_t g = 0; g < options.groups.size(); ++g)
    for (const NameOrNumber& agent : options.groups[g]) {
      const std::string place = fmt::format("groups/{}", g);
      const auto id = names.find(agent);
      if (!id)
        report(place, names.expected(agent), agent);
      else if (group[*id] != 0)
        report(place, "each agent once", agent);
      else
        group[*id] = static_cast<std::uint32_t>(g + 1);
    }
  return std::make_shared<Partition>(window_of(options), std::move(group));
}

std::shared_ptr<const FaultRule> make_outages(const std::vector<OutageOptions>& all, const Network& network,
                                              const AgentNames& names, Diagnostics& diagnostics) {
  std::vector<std::vector<Window>> windows(network.links());
  const auto link_of = [&](const NameOrNumber& one, const NameOrNumber& other) {
    const auto from = names.find(one), to = names.find(other);
    return from && to ? network.find(*from, *to) : no_link;
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all[i].links.size(); ++k) {
      const auto& ends = all[i].links[k];
      const LinkId link = link_of(ends[0], ends[1]);
      if (link == no_link) {
        diagnostics.add(fmt::format("/network/outages/{}/links/{}", i, k), "a link of the topology",
                        shown(write_value(ends)));
        continue;
      }
      const Window off = window_of(all[i]);
      windows[link].push_back(off);
      const LinkId back = all[i].both_ways ? link_of(ends[1], ends[0]) : no_link;
      if (back != no_link) windows[back].push_back(off);
    }
  return std::make_shared<LinkOutages>(std::move(windows));
}

std::vector<Underlay::Medium> make_media(const std::vector<MediumOptions>& all, const AgentNames& names,
                                         Diagnostics& diagnostics) {
  std::vector<Underlay::Medium> made;
  std::vector<bool> is_member(names.agents(), false);
  for (std::size_t k = 0; k < all.size(); ++k) {
    Underlay::Medium medium{.agents = {},
                            .bandwidth_bytes_per_s = all[k].bandwidth_bytes_per_s,
                            .overhead = Duration::seconds(all[k].overhead_us / 1e6),
                            .relays = all[k].relay,
                            .broadcasts_once = all[k].broadcast_once,
                            .name = all[k].name};
    std::vector<NameOrNumber> members = all[k].agents.value_or(std::vector<NameOrNumber>());
    for (AgentId a = 0; !all[k].agents && a < names.agents(); ++a) members.emplace_back(a);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const NameOrNumber& agent = members[i];
      const std::string place = fmt::format("/network/media/{}/agents/{}", k, i);
      const auto id = names.find(agent);
      if (!id) {
        diagnostics.add(place, names.expected(agent), lagnet::shown(agent));
        continue;
      }
      if (is_member[*id]) diagnostics.add(place, "an agent that is in no other medium", lagnet::shown(agent));
      is_member[*id] = true;
      medium.agents.push_back(*id);
    }
    made.push_back(std::move(medium));
  }
  return made;
}

/// How the latencies of all links change.
std::shared_ptr<const Schedule> schedule_of(const Choice<LatencyFamily>& latency_ms, CheckReport& report) {
  if (const auto* options = latency_ms.options_as<SignalScheduleOptions>())
    return make_signal(*options, SignalRole::latency_ms, report).schedule;
  if (const auto* options = latency_ms.options_as<SignalTraceOptions>())
    return make_signal(*options, SignalRole::latency_ms, report).schedule;
  return nullptr;
}

}  // namespace

Network make_network(const Topology& topology, const NetworkOptions& options, std::uint64_t seed,
                     const std::string& shown, Remarks* remarks) {
  Diagnostics diagnostics(shown);
  const std::string place = "/network/latency_ms";
  check_network(options, diagnostics);
  CheckReport report(place, diagnostics);
  const AgentNames names(topology);
  const std::vector<SiteId> site_of = place_agents(options, names.agents(), diagnostics);
  LinkLatency latency_ms;
  Remarks of_files;
  collect_diagnostics(diagnostics, place,
                      [&] { latency_ms = latency_by_sites(options, site_of).make(topology, seed, report, of_files); });
  if (remarks) remarks->insert(remarks->end(), of_files.begin(), of_files.end());
  std::vector<Interface> interfaces = make_interfaces(options, topology, seed, names, site_of, diagnostics);
  if (!diagnostics.empty()) {  // all problems of the links' ends are visible
    std::vector<LinkSpec> bare = bare_links(topology);
    set_some_links(options.links, topology.notes(), bare, names, diagnostics);
    diagnostics.throw_if_any();
  }

  std::vector<LinkSpec> links;
  links.reserve((topology.is_directed() ? 1 : 2) * topology.edges().size());
  const RateOfEach rates(options.bandwidth_bytes_per_s, "/network/bandwidth_bytes_per_s", diagnostics);
  const auto latency_schedule = schedule_of(options.latency_ms, report);
  const auto link = [&](AgentId from, AgentId to) -> LinkSpec {
    LinkSpec made{.from = from,
                  .to = to,
                  .latency = Duration::milliseconds(latency_ms(from, to)),
                  .latency_ns = latency_schedule};
    set(made.bandwidth_bytes_per_s, made.bandwidth, rates.of(Draws(seed, Purpose{"bandwidth"}, from, to)));
    return made;
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
  set_some_links(options.links, topology.notes(), links, names, diagnostics);
  Underlay underlay;
  const std::vector<Underlay::Medium> media = make_media(options.media, names, diagnostics);
  if (options.underlay) {
    UnderlayOptions described = *options.underlay;
    const std::size_t before = diagnostics.count();
    collect_diagnostics(diagnostics, "/network/underlay/path", [&] { described = with_file(described, remarks); });
    if (diagnostics.count() > before) diagnostics.throw_if_any();  // without nodes nothing else can be checked
    UnderlayRoutes routes(described, options.sites, site_of, names.agents(), diagnostics);
    diagnostics.throw_if_any();
    for (LinkSpec& one : links) one.route = routes.between(one.from, one.to, diagnostics);
    routes.switch_off(options.outages, diagnostics);
    if (described.reroute) routes.go_around();
    underlay = routes.underlay();
  }
  underlay.media = media;
  diagnostics.throw_if_any();
  return Network(names.agents(), std::move(links), std::move(interfaces), directions(topology), underlay);
}

Network bare_network(const Topology& topology) {
  return Network(static_cast<AgentId>(topology.agents()), bare_links(topology), {}, directions(topology));
}

Repair make_repair(const std::optional<RetransmitOptions>& options) {
  Repair repair;
  if (!options) return repair;
  repair.timeout = Duration::milliseconds(options->timeout_ms);
  repair.longest = Duration::milliseconds(options->max_timeout_ms);
  repair.retries = static_cast<std::uint32_t>(options->retries);
  return repair;
}

std::vector<std::shared_ptr<const FaultRule>> make_faults(const NetworkOptions& options, const Network& network,
                                                          const AgentNames& names, Diagnostics& diagnostics) {
  std::vector<std::shared_ptr<const FaultRule>> rules;
  const auto* fixed = options.jitter_ms.options_as<ConstantOptions>();
  if (!fixed || fixed->value > 0)
    rules.push_back(std::make_shared<Jitter>([jitter = options.jitter_ms](Draws draws) { return jitter.make(draws); }));
  if (options.reordering)
    rules.push_back(std::make_shared<Reordering>(options.reordering->probability,
                                                 Duration::milliseconds(options.reordering->delay_ms)));
  for (std::size_t i = 0; i < options.partitions.size(); ++i) {
    CheckReport report(fmt::format("/network/partitions/{}", i), diagnostics);
    rules.push_back(make_partition_rule(options.partitions[i], names, report));
  }
  if (std::ranges::any_of(options.outages, [](const OutageOptions& one) { return !one.links.empty(); }))
    rules.push_back(make_outages(options.outages, network, names, diagnostics));
  if (options.burst_loss) {
    const BurstLossOptions& burst = *options.burst_loss;
    rules.push_back(std::make_shared<BurstLoss>(
        network.links(), BurstLoss::Options{burst.enter, burst.leave, burst.loss_when_good, burst.loss_when_bad}));
  }
  CheckReport report("/network/loss_probability", diagnostics);
  const Signal loss = options.loss_probability.make(SignalRole::probability, report);
  if (loss.value > 0 || loss.schedule) rules.push_back(std::make_shared<IndependentLoss>(loss.value, loss.schedule));
  if (options.duplicate_probability > 0) rules.push_back(std::make_shared<Duplication>(options.duplicate_probability));
  return rules;
}

WorldModel make_network_model(const NetworkOptions& options, const Network& network, const AgentNames& names,
                              Diagnostics& diagnostics) {
  WorldModel made;
  made.sharing = options.sharing;
  made.forwarding = options.forwarding;
  made.send_order = options.send_order;
  made.in_order = options.in_order;
  made.tcp = options.transport.make();
  made.repair = make_repair(options.retransmit);
  made.faults = make_faults(options, network, names, diagnostics);
  return made;
}

}  // namespace lagnet
