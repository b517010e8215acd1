#pragma once

#include <array>
#include <cstdint>

#include "sim/agents/agent.hpp"
#include "sim/base/options.hpp"
#include "sim/base/remark.hpp"

/// Whom an agent asks next.
namespace lagnet {

enum class NeighborChoice { random, cyclic };
constexpr auto spellings(NeighborChoice) {
  return std::array{Spelling{NeighborChoice::random, "random"}, Spelling{NeighborChoice::cyclic, "cyclic"}};
}
constexpr const char* neighbor_choice_text =
    "whom an agent asks: random, each neighbor alike; or cyclic, one after the other by their numbers";

/// The messages of an exchange of two agents.
constexpr MessageTag request_tag = 1, reply_tag = 2, refusal_tag = 3;

/// What a user should know where agents are away, and others wait for what they answer.
inline Remark absent_neighbors() {
  return {"absent_neighbors_silent",
          {},
          "agents that are away lose what comes meanwhile, and who waits for their answer waits for ever: "
          "network.retransmit "
          "sends it again"};
}

/// The place among neighbors() of the one for an agent's n-th exchange; it has one or more.
inline std::size_t chosen_neighbor(NeighborChoice choice, const Agent& me, std::int64_t n) {
  const auto degree = static_cast<std::uint64_t>(me.degree());
  if (choice == NeighborChoice::cyclic) return static_cast<std::uint64_t>(n) % degree;
  return me.draws(Purpose{"neighbor"}, n).below(degree);
}

}  // namespace lagnet
