#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "scenarios/format/fault_options.hpp"
#include "scenarios/format/kinds/distributions.hpp"
#include "scenarios/format/kinds/latency_kinds.hpp"
#include "scenarios/format/kinds/transport_kinds.hpp"
#include "scenarios/format/site_options.hpp"
#include "scenarios/format/underlay_options.hpp"
#include "sim/world/world_model.hpp"

namespace lagnet {

constexpr auto spellings(Sharing) {
  return std::array{Spelling{Sharing::none, "none"}, Spelling{Sharing::fifo, "fifo"}, Spelling{Sharing::fair, "fair"}};
}

constexpr auto spellings(Forwarding) {
  return std::array{Spelling{Forwarding::cut_through, "cut_through"},
                    Spelling{Forwarding::store_and_forward, "store_and_forward"}};
}
constexpr auto spellings(SendOrder) {
  return std::array{Spelling{SendOrder::rotated, "rotated"}, Spelling{SendOrder::ascending, "ascending"}};
}

/// The interfaces of agents that differ from the others.
struct InterfaceOptions {
  std::vector<NameOrNumber> agents;
  std::optional<Choice<SignalFamily>> up_bytes_per_s, down_bytes_per_s;
  std::optional<QueueOptions> up_queue, down_queue;
  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "agents that have these interfaces, by number, or by the name of their node: [0]",
          any_value().required());
    field("up_bytes_per_s", self.up_bytes_per_s, "sending, in bytes per second; null: no limit");
    field("down_bytes_per_s", self.down_bytes_per_s, "receiving, in bytes per second; null: no limit");
    field("up_queue", self.up_queue, "what may wait to be sent: {\"bytes\": 250000}; null: anything");
    field("down_queue", self.down_queue, "what may wait to be received, likewise");
  }
  void check(auto& report) const {
    if (agents.empty()) report("agents", "one agent or more", "none");
  }
};

/// Links that differ from the others, for example one over a satellite.
struct SomeLinksOptions {
  std::vector<std::vector<NameOrNumber>> links;
  std::optional<Choice<SignalFamily>> latency_ms, bandwidth_bytes_per_s, loss_probability;
  std::optional<QueueOptions> queue;
  bool both_ways = true;
  static void fields(auto& self, auto& field) {
    field("links", self.links,
          "the links, each by its two agents, by number or by the name of their node: [[0, 1], [3, 2]]",
          any_value().required());
    field("latency_ms", self.latency_ms, "in ms; null: like the other links; a geostationary satellite has 270");
    field("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s, "in bytes per second; null: like the other links");
    field("loss_probability", self.loss_probability,
          "probability that a message is lost on the link, beside network.loss_probability: 0.01; null: none is");
    field("queue", self.queue, "what may wait for each: {\"messages\": 1, \"full\": \"drop_oldest\"}; null: anything");
    field("both_ways", self.both_ways,
          "false: only the direction from the first agent to the second; a one-way link has no other");
  }
  void check(auto& report) const {
    check_pairs(links, report);
    if (links.empty()) report("links", "one link or more", "none");
    if (!latency_ms && !bandwidth_bytes_per_s && !loss_probability && !queue)
      report("latency_ms", "one of latency_ms, bandwidth_bytes_per_s, loss_probability and queue, or more",
             "none of them");
  }
};

/// The section "network" of a scenario: links, sizes of messages, and faults.
struct NetworkOptions {
  std::optional<std::string> profile;
  Choice<LatencyFamily> latency_ms{ConstantOptions{.value = 1}};
  Choice<DistributionFamily> jitter_ms{ConstantOptions{.value = 0}};
  std::optional<Choice<RateFamily>> bandwidth_bytes_per_s = Choice<RateFamily>(ConstantOptions{.value = 125e6});
  bool symmetric = false;
  std::optional<Choice<RateFamily>> up_bytes_per_s, down_bytes_per_s;
  std::vector<SomeLinksOptions> links;
  std::vector<InterfaceOptions> interfaces;
  std::vector<SiteOptions> sites;
  std::optional<std::string> server_site;
  std::string currency;
  std::optional<UnderlayOptions> underlay;
  std::vector<MediumOptions> media;
  Sharing sharing = Sharing::fifo;
  Forwarding forwarding = Forwarding::cut_through;
  SendOrder send_order = SendOrder::rotated;
  bool in_order = true;
  Choice<TransportFamily> transport;
  std::int64_t bytes_per_scalar = 8;
  std::int64_t header_bytes = 0;
  std::optional<std::int64_t> index_bytes, model_bytes;
  std::int64_t ciphertext_bytes = 512;
  Choice<SignalFamily> loss_probability{ConstantOptions{.value = 0}};
  std::optional<BurstLossOptions> burst_loss;
  std::optional<RetransmitOptions> retransmit;
  double duplicate_probability = 0;
  std::optional<ReorderingOptions> reordering;
  std::vector<PartitionWindowOptions> partitions;
  std::vector<OutageOptions> outages;

  /// Behind an underlay links have no latency and no limit of their own unless they are given. A profile gives values
  /// of its own.
  void set_defaults(const Json& given);
  bool has_site_limits() const {
    return std::ranges::any_of(
        sites, [](const auto& one) { return one.up_bytes_per_s || one.down_bytes_per_s || one.server; });
  }
  bool has_prices() const {
    return std::ranges::any_of(sites, [](const auto& one) { return one.price.has_value(); });
  }
  bool has_queues() const {
    const auto is_limited = [](const auto& one) { return one.queue.has_value(); };
    return std::ranges::any_of(links, is_limited) || (underlay && std::ranges::any_of(underlay->links, is_limited)) ||
           std::ranges::any_of(interfaces, [](const auto& one) { return one.up_queue || one.down_queue; });
  }
  static void fields(auto& self, auto& field) {
    link_fields(self, field);
    message_fields(self, field);
    fault_fields(self, field);
  }
  static void link_fields(auto& self, auto& field) {
    field("profile", self.profile,
          "a kind of network whose values are those of keys that are not given (`lagnet list profiles`): \"phones\"");
    field(
        "latency_ms", self.latency_ms,
        "time from the last byte sent to its arrival, in ms; a distribution is drawn for each direction of each link; "
        "0 by default behind an underlay: 25, or {\"kind\": \"lognormal\", \"median\": 25, \"sigma\": 0.5, "
        "\"high\": 1000}");
    field("jitter_ms", self.jitter_ms, "delay added to the latency, drawn for every message, in ms: 2");
    field(
        "bandwidth_bytes_per_s", self.bandwidth_bytes_per_s,
        "of each direction of each link, in bytes per second; 125e6 is 1 Gbit/s; null: no limit, which is the default "
        "behind an underlay");
    field(
        "symmetric", self.symmetric,
        "true: both directions of a link have the latency and bandwidth of the one from the lower to the higher agent");
    field("links", self.links,
          "links that differ from the others: [{\"links\": [[0, 4]], \"latency_ms\": 270, \"bandwidth_bytes_per_s\": "
          "1.25e6}]");
    field("up_bytes_per_s", self.up_bytes_per_s,
          "what an agent can send over all its links, in bytes per second; drawn for each agent; null: no limit; "
          "1.25e6 is 10 Mbit/s");
    field("down_bytes_per_s", self.down_bytes_per_s, "what an agent can receive over all its links, likewise: 1.25e7");
    field("interfaces", self.interfaces,
          "agents whose interfaces differ from the others: [{\"agents\": [0], \"up_bytes_per_s\": 1.25e9}]");
    field(
        "sites", self.sites,
        "places where agents are, with their interfaces, prices and energy: [{\"name\": \"frankfurt\", \"agents\": 2, "
        "\"up_bytes_per_s\": 1.25e7, \"price\": {\"other_site_per_gb\": 0.02}}, {\"name\": \"tokyo\", \"agents\": 3}]");
    field("server_site", self.server_site,
          "the site of the server, agent 0, beside the agents of sites; null: agent 0 is the first agent of sites");
    field("currency", self.currency, "of prices, in results: \"EUR\"");
    field("underlay", self.underlay,
          "nodes and links beneath the agents' links, whose messages share them: {\"nodes\": [\"left\", \"right\"], "
          "\"links\": [{\"ends\": [\"left\", \"right\"], \"bandwidth_bytes_per_s\": 2e6}], \"agents\": [\"left\", "
          "\"right\"]}");
    field("media", self.media,
          "radio cells and buses, in which one message is sent at a time: [{\"name\": \"cell\", \"agents\": [0, 1, 2], "
          "\"bandwidth_bytes_per_s\": 2.5e6}]");
    field("sharing", self.sharing,
          "fifo: one message after the other through the sender's interface, the link, and the receiver's interface; "
          "fair: all at once at max-min fair rates, the latency before the transfer; none: every message travels as if "
          "alone, as fast as the slowest of link and interfaces, so that many neighbors cost no time. Against packets, "
          "fifo tells within 1 % in the mean when the last of many messages is there. Against TCP over a shared "
          "interface fifo fits messages up to its first window, about 15 kB, and fair larger ones, mostly within 15 %; "
          "the other one is up to 71 % off");
    field(
        "forwarding", self.forwarding,
        "under fifo; cut_through: a message goes on from its first bit, as packets do; store_and_forward: when all of "
        "it is there");
    field("send_order", self.send_order,
          "under fifo, to whom a broadcast of agent a goes first; rotated: to a + 1, a + 2, .., then 0, 1, ..; "
          "ascending: to 0, 1, ..");
    field("in_order", self.in_order,
          "true: messages of a link come in the order in which they set out, as over a connection, in spite of jitter "
          "and changing latencies");
    field("transport", self.transport, "what carries messages: {\"kind\": \"tcp\"}; not under sharing none");
  }
  static void message_fields(auto& self, auto& field) {
    field("bytes_per_scalar", self.bytes_per_scalar, "size of a number on the wire, in bytes: 8, 4 or 2", within(2, 8));
    field("header_bytes", self.header_bytes, "bytes added to every message: 66 for Ethernet, IPv4 and TCP",
          within(0, 1'000'000'000));
    field("model_bytes", self.model_bytes,
          "size of a model on the wire, in bytes, if the computed model stands for a larger one: 4.47e7 for the "
          "11.2 million numbers of a ResNet-18; each message costs its share of a model, compressed or not; null: the "
          "size of the computed model",
          within(1, 1'000'000'000'000));
    field("index_bytes", self.index_bytes,
          "send only the non-zeros, each with an index of this many bytes, where that is smaller than all values; "
          "null: never; example: 4",
          within(1, 8));
    field(
        "ciphertext_bytes", self.ciphertext_bytes,
        "size of an encrypted number, in bytes, for algorithms that encrypt; 512 is Paillier's with a modulus of 2048 "
        "bits, whose square holds a ciphertext; its time is compute.encryption",
        at_least(1));
  }
  static void fault_fields(auto& self, auto& field) {
    field("loss_probability", self.loss_probability,
          "probability that a message is lost, independently of the others: 0.01");
    field("burst_loss", self.burst_loss,
          "losses in bursts (Gilbert-Elliott), independent for each direction of each link: {\"enter\": 0.05, "
          "\"leave\": 0.25}");
    field("retransmit", self.retransmit,
          "send lost messages again: {\"timeout_ms\": 200}; null: a lost message is never delivered");
    field("duplicate_probability", self.duplicate_probability,
          "probability that the network duplicates a message: 0.001", within(0, 1));
    field("reordering", self.reordering, "messages that are held back: {\"probability\": 0.01, \"delay_ms\": 50}");
    field("partitions", self.partitions,
          "times in which groups of agents cannot reach each other: [{\"from_s\": 5, \"until_s\": 8, \"groups\": [[0, "
          "1, 2]]}]");
    field("outages", self.outages,
          "times in which links are off: [{\"from_s\": 1, \"until_s\": 2, \"links\": [[0, 1]]}]");
  }
  void check(auto& report) const {
    if (bytes_per_scalar != 8 && bytes_per_scalar != 4 && bytes_per_scalar != 2)
      report("bytes_per_scalar", "8, 4 or 2", bytes_per_scalar);
    const bool has_limits = up_bytes_per_s || down_bytes_per_s || has_site_limits();
    for (std::size_t i = 0; i < interfaces.size() && !has_limits; ++i)
      if (!interfaces[i].up_bytes_per_s && !interfaces[i].down_bytes_per_s)
        report("interfaces/" + std::to_string(i), "a limit, since the other agents have none", "none");
    check_sites(report);
    if (const auto* loss = loss_probability.options_as<ConstantOptions>()) {
      if (!(loss->value >= 0 && loss->value <= 1)) report("loss_probability", "a number from 0 to 1", loss->value);
      if (retransmit && loss->value == 1)
        report("loss_probability", "below 1 where messages are sent again", loss->value);
    }
    for (std::size_t i = 0; i < outages.size() && !underlay; ++i)
      if (!outages[i].inner_links.empty())
        report("outages/" + std::to_string(i) + "/inner_links", "none without network.underlay",
               outages[i].inner_links);
    if (sharing == Sharing::none && !media.empty())
      report("media", "none, since nothing is shared (network.sharing is none)", media.size());
    for (std::size_t k = 0; k < media.size() && sharing == Sharing::fair; ++k) {
      const std::string one = "media/" + std::to_string(k);
      if (media[k].overhead_us > 0) report(one + "/overhead_us", "0, unless sharing is fifo", media[k].overhead_us);
      if (media[k].broadcast_once) report(one + "/broadcast_once", "false, unless sharing is fifo", true);
    }
    if (sharing != Sharing::fifo && has_queues())
      report("sharing", "fifo, since nothing waits in a queue under others", std::string(spelled(sharing)));
    if (sharing == Sharing::none && transport.kind() != NoTransportOptions::kind)
      report("transport", "none, since nothing is shared (network.sharing is none)", std::string(transport.kind()));
  }

 private:
  void check_sites(CheckReport& report) const;
};

/// Reports problems of the section "network" for any topology: distributions that reach too far. Simulated time ends
/// after 292 years.
void check_network(const NetworkOptions& options, Diagnostics& diagnostics);

}  // namespace lagnet
