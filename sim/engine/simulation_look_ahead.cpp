#include <algorithm>

#include "sim/engine/simulation.hpp"

namespace lagnet {

// What an event leads to, its message and links, the agents, and what these keep or resume, lies each at the end of the
// one before: each is fetched some events ahead, when the one before has come. Memory has its own pace, so what an
// agent goes on with is left where it is if it goes on waiting.
[[gnu::noinline]] void Simulation::look_ahead() {
  const auto next = queue_.upcoming();
  const auto for_each_agent = [&](std::size_t ahead, auto&& use) {  // use(agent, message that it gets, link over which)
    constexpr std::size_t few = 8;  // of a broadcast to more, the later ones are fetched while it goes on
    if (ahead >= next.size()) return;
    const Event event = next[ahead].event;
    if (event.kind() == Kind::timer) return use(event.subject(), nullptr, no_link);
    if (event.kind() != Kind::message && event.kind() != Kind::broadcast) return;
    const Message& message = messages()[event.subject()].message;
    if (event.kind() == Kind::message) return use(network_.link(event.detail()).to, &message, event.detail());
    const LinkId first = network_.first_link(message.from);
    const std::size_t receivers = std::min(network_.links_of(message.from).size(), few);
    for (LinkId link = first; link < first + receivers; ++link) use(network_.link(link).to, &message, link);
  };
  const auto prefetch_what_follows = [this](AgentId agent) {
    agents_[agent].prefetch_frames();
    network_.prefetch_links(agent);
    for (const Listener* listener : listeners_[static_cast<std::size_t>(EventKind::delivered)])
      listener->fetch_what_follows(agent, network_.first_link(agent));
  };
  if (next.size() > 10) {
    const Event event = next[10].event;
    const bool alone = event.kind() == Kind::message;
    if (alone) __builtin_prefetch(&network_.link(event.detail()));
    if (alone || event.kind() == Kind::broadcast) __builtin_prefetch(&messages()[event.subject()]);
  }
  if (next.size() > 8 && next[8].event.kind() == Kind::broadcast)
    network_.prefetch_first(messages()[next[8].event.subject()].message.from);
  for_each_agent(6, [&](AgentId agent, const Message*, LinkId) {
    __builtin_prefetch(&agents_[agent]);
    if (some_are_awaited_) __builtin_prefetch(&tasks_[agent]);
    network_.prefetch_first(agent);
  });
  for_each_agent(4, [&](AgentId agent, const Message* message, LinkId link) {
    agents_[agent].prefetch_kit();
    if (!message || !agents_[agent].exchanges()) prefetch_what_follows(agent);
    for (const Listener* listener : listeners_[static_cast<std::size_t>(EventKind::delivered)])
      listener->fetch_ahead(agent, link);
  });
  for_each_agent(2, [&](AgentId agent, const Message* message, LinkId link) {
    if (!message) return;
    message->body.prefetch();
    if (!agents_[agent].exchanges()) return;
    agents_[agent].prefetch_place(*message, network_.link(link).slot_at_receiver);
    if (!agents_[agent].goes_on_with(*message)) return;
    agents_[agent].prefetch_sum();
    prefetch_what_follows(agent);
  });
}

}  // namespace lagnet
