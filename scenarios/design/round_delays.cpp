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

}  // namespace

double round_delay_s(const AgentRound& sender, const Network& network, AgentId from, LinkId link, Sharing sharing) {
  const Link& way = network.link(link);
  double rate = way.narrowest_bytes_per_s;
  if (sharing != Sharing::none) {
    const auto out = static_cast<double>(network.links_of(from).size());
    const auto in = static_cast<double>(network.in_neighbors(way.to).size());
    rate = std::min({network.interface(from).up_bytes_per_s / out, network.interface(way.to).down_bytes_per_s / in,
                     network.bandwidth_bytes_per_s(link)});
  }
  return sender.busy_s + way.latency.in_seconds() + sending_s(sender.message_bytes, rate);
}

Matrix pair_delays(const std::vector<AgentRound>& agents, const Network& complete) {
  Matrix seconds = Matrix::Zero(complete.agents(), complete.agents());
  for (AgentId from = 0; from < complete.agents(); ++from)
    for (LinkId link = complete.first_link(from); link < complete.first_link(from) + complete.links_of(from).size();
         ++link)
      seconds(from, complete.link(link).to) = round_delay_s(agents[from], complete, from, link, Sharing::none);
  return seconds;
}

std::optional<PredictedCycle> predicted_cycle_s(const SteadyRounds& rounds, Sharing sharing) {
  const Network& network = rounds.network;
  std::vector<TimedArc> arcs;
  for (AgentId agent = 0; agent < network.agents(); ++agent) {
    const AgentRound& own = rounds.agents[agent];
    const auto links = static_cast<LinkId>(network.links_of(agent).size());
    if (own.messages != static_cast<double>(links)) return std::nullopt;
    double again_s = own.busy_s;  // after which an agent may do the same again
    for (LinkId link = network.first_link(agent); link < network.first_link(agent) + links; ++link) {
      arcs.push_back({agent, network.link(link).to, round_delay_s(own, network, agent, link, sharing), 1});
      // The next message of the link waits until this one has left.
      if (sharing != Sharing::none)
        again_s = std::max(again_s, sending_s(own.message_bytes, network.bandwidth_bytes_per_s(link)));
    }
    arcs.push_back({agent, agent, again_s, 1});
  }
  return PredictedCycle{.seconds = cycle_time(network.agents(), arcs).seconds,
                        .is_exact = sharing == Sharing::none || (sharing == Sharing::fifo && !limits_agents(network))};
}

}  // namespace lagnet
