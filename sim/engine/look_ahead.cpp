#include "sim/engine/look_ahead.hpp"

#include <algorithm>

#include "sim/machine/processor.hpp"

namespace lagnet {

// An event leads through a chain of pointers: message and link, agent, its state, its frame. Each is prefetched some
// events ahead, when the one before has come. What an agent goes on with is not fetched if the agent goes on waiting.
[[gnu::noinline]] void look_ahead(std::span<const RadixQueue::Entry> next, AgentPool& agents, const Network& network,
                                  const Transport* transport, std::span<Listener* const> hear_deliveries) {
  const auto for_each_agent = [&](std::size_t ahead, auto&& use) {  // use(agent, message that it gets, link over which)
    constexpr std::size_t few = 8;  // of a broadcast to more, the later ones are fetched while it goes on
    if (ahead >= next.size()) return;
    const Event event = next[ahead].event;
    if (event.kind() == Event::Kind::timer) return use(event.subject(), nullptr, no_link);
    if (event.kind() == Event::Kind::transport) {
      const auto arriving = transport->arriving(event.detail());
      if (arriving.message) use(network.link(arriving.link).to, arriving.message, arriving.link);
      return;
    }
    if (event.kind() != Event::Kind::message && event.kind() != Event::Kind::broadcast) return;
    const Message& message = agents.messages()[event.subject()].message;
    if (event.kind() == Event::Kind::message) return use(network.link(event.detail()).to, &message, event.detail());
    const LinkId first = network.first_link(message.from);
    const std::size_t receivers = std::min(network.links_of(message.from).size(), few);
    for (LinkId link = first; link < first + receivers; ++link) use(network.link(link).to, &message, link);
  };
  const auto prefetch_what_follows = [&](AgentId agent) {
    agents[agent].prefetch_frames();
    network.prefetch_links(agent);
    if (transport) transport->prefetch_sending(agent);
    for (const Listener* listener : hear_deliveries) listener->fetch_what_follows(agent, network.first_link(agent));
  };
  if (next.size() > 10) {
    const Event event = next[10].event;
    const bool alone = event.kind() == Event::Kind::message;
    if (alone) prefetch(&network.link(event.detail()));
    if (alone || event.kind() == Event::Kind::broadcast) prefetch(&agents.messages()[event.subject()]);
    if (event.kind() == Event::Kind::transport) transport->prefetch_parcel(event.detail());
  }
  if (next.size() > 8 && next[8].event.kind() == Event::Kind::transport)
    transport->prefetch_way(next[8].event.detail());
  if (next.size() > 8 && next[8].event.kind() == Event::Kind::broadcast)
    network.prefetch_first(agents.messages()[next[8].event.subject()].message.from);
  for_each_agent(6, [&](AgentId agent, const Message*, LinkId) {
    prefetch(&agents[agent]);
    agents.prefetch_task(agent);
    network.prefetch_first(agent);
  });
  for_each_agent(4, [&](AgentId agent, const Message* message, LinkId link) {
    agents[agent].prefetch_wait_state();
    if (!message || !agents[agent].exchanges()) prefetch_what_follows(agent);
    for (const Listener* listener : hear_deliveries) listener->fetch_ahead(agent, link);
  });
  for_each_agent(2, [&](AgentId agent, const Message* message, LinkId link) {
    if (!message) return;
    message->body.prefetch();
    if (!agents[agent].exchanges()) return;
    agents[agent].prefetch_place(*message, network.link(link).slot_at_receiver);
    if (!agents[agent].goes_on_with(*message)) return;
    agents[agent].prefetch_sum();
    prefetch_what_follows(agent);
  });
}

}  // namespace lagnet
