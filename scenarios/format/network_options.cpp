#include "scenarios/format/network_options.hpp"

#include <fmt/format.h>

#include <utility>

#include "scenarios/format/profiles.hpp"

namespace lagnet {

namespace {

/// Whether messages stay at their senders until there is room.
bool holds_back(const NetworkOptions& options) {
  const auto does = [](const auto& queue) { return queue && queue->full == QueueLimit::WhenFull::backpressure; };
  const auto link_does = [&](const auto& link) { return does(link.queue); };
  return std::ranges::any_of(options.links, link_does) ||
         (options.underlay && std::ranges::any_of(options.underlay->links, link_does)) ||
         std::ranges::any_of(options.interfaces,
                             [&](const auto& one) { return does(one.up_queue) || does(one.down_queue); });
}

/// Routes change where outages do it, and a message in a group or an outbox has one that holds.
void check_reroute(const NetworkOptions& options, CheckReport& report) {
  if (!options.underlay || !options.underlay->reroute) return;
  const auto expect_not = [&](const char* why) { report("underlay/reroute", std::string("false") + why, true); };
  if (std::ranges::none_of(options.outages, [](const auto& one) { return !one.inner_links.empty(); }))
    expect_not(" without outages of inner_links");
  if (std::ranges::any_of(options.media, [](const auto& one) { return one.broadcast_once; }))
    expect_not(" where one transmission reaches several agents (broadcast_once)");
  if (holds_back(options)) expect_not(" where messages stay at their sender (backpressure)");
}

/// One transmission to many receivers is no message of a connection, and no message in a queue.
void check_broadcasts(const NetworkOptions& options, CheckReport& report) {
  const bool waits_in_queues = holds_back(options) || std::ranges::any_of(options.interfaces, [](const auto& one) {
                                 return one.up_queue.has_value();
                               });
  for (std::size_t k = 0; k < options.media.size(); ++k) {
    if (!options.media[k].broadcast_once) continue;
    const std::string key = fmt::format("media/{}/broadcast_once", k);
    if (options.transport.kind() != NoTransportOptions::kind)
      report(key, "false, since a connection has one receiver (network.transport is tcp)", true);
    if (waits_in_queues)
      report(key, "false, since senders queue messages for one receiver each (an up_queue, or backpressure)", true);
  }
}

}  // namespace

void NetworkOptions::set_defaults(const Json& given) {
  if (given.contains("underlay") && !given["underlay"].is_null()) {
    latency_ms = Choice<LatencyFamily>(ConstantOptions{.value = 0});
    bandwidth_bytes_per_s.reset();
  }
  const auto name = given.find("profile");
  const Profile* const chosen =
      name != given.end() && name->is_string() ? find_profile(name->get<std::string>()) : nullptr;
  if (!chosen) return;
  Diagnostics problems("scenarios/profiles/" + chosen->name + ".json");
  ObjectReader reader(chosen->network, "/network", problems);
  reader.read(*this);
  reader.finish();
  problems.throw_if_any();
}

void NetworkOptions::check_sites(CheckReport& report) const {
  const bool have_energy = std::ranges::any_of(sites, [](const SiteOptions& one) { return one.energy.has_value(); });
  std::vector<std::string> names;
  for (const SiteOptions& one : sites) {
    const std::string here = fmt::format("sites/{}", names.size());
    if (std::ranges::find(names, one.name) != names.end()) report(here + "/name", "each site once", one.name);
    if (one.node && !(underlay && !underlay->agents))
      report(here + "/node", "null unless network.underlay is there, with agents null", shown(*one.node));
    if (one.carbon_g_per_kwh && !have_energy)
      report(here + "/carbon_g_per_kwh", "null, since no site has energy", *one.carbon_g_per_kwh);
    names.push_back(one.name);
  }
  if (server_site && std::ranges::find(names, *server_site) == names.end())
    report("server_site", names.empty() ? "null without network.sites" : "one of the sites " + comma_list(names),
           fmt::format("\"{}\"{}", *server_site, did_you_mean(*server_site, names)));
  if (!currency.empty() && !has_prices()) report("currency", "\"\", since no site has prices", currency);
}

void check_network(const NetworkOptions& options, Diagnostics& diagnostics) {
  CheckReport report("/network", diagnostics);
  if (options.profile && !find_profile(*options.profile))
    report("profile", fmt::format("one of the profiles {}", comma_list(names_of_profiles())),
           fmt::format("\"{}\"{}", *options.profile, did_you_mean(*options.profile, names_of_profiles())));
  check_bounds(report, "latency_ms", options.latency_ms, within(0, longest_latency_ms));
  check_bounds(report, "jitter_ms", options.jitter_ms, within(0, longest_latency_ms));
  if (options.bandwidth_bytes_per_s)
    check_bounds(report, "bandwidth_bytes_per_s", *options.bandwidth_bytes_per_s, at_least(1));
  if (options.up_bytes_per_s) check_bounds(report, "up_bytes_per_s", *options.up_bytes_per_s, at_least(1));
  if (options.down_bytes_per_s) check_bounds(report, "down_bytes_per_s", *options.down_bytes_per_s, at_least(1));
  check_broadcasts(options, report);
  check_reroute(options, report);
  const auto check_loss = [&](const std::string& place, const std::optional<Choice<SignalFamily>>& loss) {
    CheckReport at_place("/network" + place, diagnostics);
    if (!loss) return;
    check_bounds(at_place, "loss_probability", *loss, within(0, 1));
    const auto* constant = loss->options_as<ConstantOptions>();
    if (options.retransmit && constant && constant->value == 1)
      at_place("loss_probability", "below 1 where messages are sent again", 1.0);
  };
  const auto check = [&](const std::string& place, const auto& latency_ms, auto... rates) {
    CheckReport at_place("/network/" + place, diagnostics);
    if (latency_ms) check_bounds(at_place, "latency_ms", *latency_ms, within(0, longest_latency_ms));
    const auto check_rate = [&](const auto& rate) {
      if (*rate.second) check_bounds(at_place, rate.first, **rate.second, at_least(1));
    };
    (check_rate(rates), ...);
  };
  if (!options.loss_probability.options_as<ConstantOptions>()) check_loss("", options.loss_probability);
  const std::optional<Choice<SignalFamily>> none;
  for (std::size_t i = 0; i < options.links.size(); ++i) {
    check(fmt::format("links/{}", i), options.links[i].latency_ms,
          std::pair("bandwidth_bytes_per_s", &options.links[i].bandwidth_bytes_per_s));
    check_loss(fmt::format("/links/{}", i), options.links[i].loss_probability);
  }
  for (std::size_t i = 0; i < options.interfaces.size(); ++i)
    check(fmt::format("interfaces/{}", i), none, std::pair("up_bytes_per_s", &options.interfaces[i].up_bytes_per_s),
          std::pair("down_bytes_per_s", &options.interfaces[i].down_bytes_per_s));
  for (std::size_t i = 0; options.underlay && i < options.underlay->links.size(); ++i) {
    const InnerLinkOptions& link = options.underlay->links[i];
    check(fmt::format("underlay/links/{}", i), link.latency_ms,
          std::pair("bandwidth_bytes_per_s", &link.bandwidth_bytes_per_s));
    check_loss(fmt::format("/underlay/links/{}", i), link.loss_probability);
  }
  const auto check_site = [&](const std::string& place, const auto& site) {
    check(place, none, std::pair("up_bytes_per_s", &site.up_bytes_per_s),
          std::pair("down_bytes_per_s", &site.down_bytes_per_s));
  };
  for (std::size_t i = 0; i < options.sites.size(); ++i) {
    check_site(fmt::format("sites/{}", i), options.sites[i]);
    if (options.sites[i].server) check_site(fmt::format("sites/{}/server", i), *options.sites[i].server);
  }
}

}  // namespace lagnet
