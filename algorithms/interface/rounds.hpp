#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/interface/algorithm_traits.hpp"
#include "sim/agents/agent.hpp"
#include "sim/agents/host.hpp"
#include "sim/base/remark.hpp"

/// The parts of rounds of a server and its clients.
namespace lagnet {

/// Sends one body to all of them.
inline void send_to_all(Agent& me, std::span<const AgentId> members, Round round, const Payload& body,
                        MessageTag tag = 0) {
  for (const AgentId k : members) me.send(k, round, body, tag);
}

/// A round of the server: sends the body to the cohort of that round and waits for the answers that come in time, in
/// the order of their senders. The tag is a header of the request:
///
///     answers = co_await ask(me, t, w);
inline auto ask(Agent& me, Round round, const Payload& body, MessageTag tag = 0) {
  Cohort cohort = me.cohort(round);
  send_to_all(me, cohort.members, round, body, tag);
  return me.collect(round, std::move(cohort));
}

/// One of several questions of a round to the whole cohort: a tag tells them apart, which answers have, too.
inline auto ask_again(Agent& me, Round round, const Payload& body, MessageTag tag) {
  Cohort cohort = me.cohort(round);
  send_to_all(me, cohort.members, round, body, tag);
  return me.collect(round, std::move(cohort), tag);
}

/// The same for those members k for which `asks(k)`, with one body `body(k)` each. Name both functions first, like a
/// kernel.
template <std::predicate<AgentId> Asks, std::invocable<AgentId> Body>
auto ask(Agent& me, Round round, const Asks& asks, const Body& body) {
  Cohort cohort = me.cohort(round);
  std::erase_if(cohort.members, [&](AgentId k) { return !asks(k); });
  for (const AgentId k : cohort.members) me.send(k, round, body(k));
  return me.collect(round, std::move(cohort));
}

/// Gives the server and its clients their coroutines. Clients answer requests forever: the run ends when the server has
/// finished.
template <class Server, class Client>
void spawn_server_and(Host& host, std::span<const AgentId> clients, const Server& server, const Client& client) {
  host.spawn(server_agent, server);
  for (const AgentId k : clients) host.spawn(k, client, Host::Role::daemon);
}

/// The server's next request: the newest one, if several wait. The client then enters the request's round.
inline auto next_request(Agent& me) { return me.receive_latest(); }

/// One payload of several vectors, one after the other.
template <class... Vectors>
Payload joined_payload(const Vectors&... vectors) {
  return Payload::joined(vectors...);
}
/// Part number `which`, from 0, of a payload of joined vectors of d numbers.
inline VectorView part_of(const Payload& body, Index which, Index d) { return {body.data() + which * d, d}; }

/// The remark after a run in which `missing` answers of clients (or machines, ..) were missing, and its consequence.
/// Nothing if none was missing.
Remarks remark_on_missing(std::int64_t missing, std::string_view whose, std::string_view consequence);

}  // namespace lagnet
