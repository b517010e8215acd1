#include "scenarios/design/round_delays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "topologies/cycle_time.hpp"

namespace lagnet {

namespace {

double sending_s(double bytes, double bytes_per_s) {
  return std::isinf(bytes_per_s) ? 0 : Duration::seconds(bytes / bytes_per_s).in_seconds();
}

bool limits_agents(const Network& network) {
  for (AgentId agent = 0; agent < network.agents(); ++agent)
    if (const Interface& own = network.interface(agent);
        std::isfinite(std::min(own.up_bytes_per_s, own.down_bytes_per_s)))
      return true;
  return false;
}

/// How many messages of an exchange with all neighbors pass each resource.
std::vector<double> messages_at(const Network& network) {
  std::vector<double> counts(network.resources());
  for (AgentId from = 0; from < network.agents(); ++from)
    for (LinkId k = 0; k < network.links_of(from).size(); ++k) {
      const LinkId link = network.first_link(from) + k;
      for (std::size_t place = 0; place < network.path_length(link); ++place)
        ++counts[network.on_path(from, link, place)];
    }
  return counts;
}

double delay_s(const AgentRound& sender, const Network& network, AgentId from, LinkId link,
               const std::vector<double>& messages) {
  double rate = std::numeric_limits<double>::infinity();
  for (std::size_t place = 0; place < network.path_length(link); ++place) {
    const ResourceId id = network.on_path(from, link, place);
    rate = std::min(rate, network.rate(id, link) / messages[id]);
  }
  return sender.busy_s + network.link(link).latency.in_seconds() + sending_s(sender.message_bytes, rate);
}

double delay_alone_s(const AgentRound& sender, const Link& link) {
  return sender.busy_s + link.latency.in_seconds() + sending_s(sender.message_bytes, link.narrowest_bytes_per_s);
}

}  // namespace

Matrix pair_delays(const std::vector<AgentRound>& agents, const Network& complete) {
  Matrix seconds = Matrix::Zero(complete.agents(), complete.agents());
  for (AgentId from = 0; from < complete.agents(); ++from)
    for (LinkId link = complete.first_link(from); link < complete.first_link(from) + complete.links_of(from).size();
         ++link)
      seconds(from, complete.link(link).to) = delay_alone_s(agents[from], complete.link(link));
  return seconds;
}

std::optional<PredictedCycle> predicted_cycle_s(const SteadyRounds& rounds, Sharing sharing) {
  const Network& network = rounds.network;
  const std::vector<double> messages = messages_at(network);
  std::vector<TimedArc> arcs;
  for (AgentId agent = 0; agent < network.agents(); ++agent) {
    const AgentRound& own = rounds.agents[agent];
    const auto links = static_cast<LinkId>(network.links_of(agent).size());
    if (own.messages != static_cast<double>(links)) return std::nullopt;
    double again_s = own.busy_s;  // after which an agent may do the same again
    for (LinkId link = network.first_link(agent); link < network.first_link(agent) + links; ++link) {
      arcs.push_back({agent, network.link(link).to,
                      sharing == Sharing::none ? delay_alone_s(own, network.link(link))
                                               : delay_s(own, network, agent, link, messages),
                      1});
      // The next message of the link waits until this one has left.
      if (sharing != Sharing::none)
        again_s = std::max(again_s, sending_s(own.message_bytes, network.bandwidth_bytes_per_s(link)));
    }
    arcs.push_back({agent, agent, again_s, 1});
  }
  return PredictedCycle{.seconds = cycle_time(network.agents(), arcs).seconds,
                        .is_exact = !network.has_schedules() &&
                                    (sharing == Sharing::none ||
                                     (sharing == Sharing::fifo && network.is_flat() && !limits_agents(network)))};
}

}  // namespace lagnet
