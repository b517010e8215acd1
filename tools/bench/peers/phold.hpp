#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/types.hpp"

namespace lagnet::bench {

/// The model that the contestants run: a fixed number of messages go from agent to agent without end; the receiver of a
/// message sends it on over a random one of its links. An agent has 8 links, to agents at drawn distances on both
/// sides, or fewer among fewer than 9 agents. The latency of each direction of a link is drawn once, 0.1 + 0.9 Exp(1)
/// seconds, as PHOLD's delays are. Which link a message takes on its k-th hop is a function of the message and k, so
/// that the contestants do the same work whatever the order in which they take events of one time. Two agents with one
/// message play ping-pong.
class Phold {
 public:
  explicit Phold(AgentId agents);

  AgentId agents() const { return agents_; }
  std::uint32_t degree() const { return static_cast<std::uint32_t>(distances_.size()); }
  AgentId neighbor(AgentId agent, std::uint32_t link) const {
    const AgentId to = agent + distances_[link];
    return to < agents_ ? to : to - agents_;
  }
  Duration latency(AgentId agent, std::uint32_t link) const { return latencies_[agent * degree() + link]; }
  /// The link on which a message continues after this many hops.
  std::uint32_t choice(std::int64_t message, std::int64_t hops) const {
    return choices_[static_cast<std::uint64_t>(message * 7919 + hops) % choices_.size()];
  }

 private:
  AgentId agents_;
  std::vector<AgentId> distances_;     // upwards, modulo the number of agents
  std::vector<Duration> latencies_;    // by agent and link
  std::vector<std::uint8_t> choices_;  // drawn before the clock runs
};

/// The command line of a contestant: AGENTS POPULATION ARRIVALS, and perhaps one word more. A run ends with the
/// arrival of that number.
struct PholdArguments {
  AgentId agents = 0;
  std::int64_t population = 0;
  std::int64_t arrivals = 0;
  /// Nothing, and a message on standard error, for anything but 2 agents or more, 1 message and 1 arrival or more.
  static std::optional<PholdArguments> read(int argc, char** argv);
};

}  // namespace lagnet::bench
