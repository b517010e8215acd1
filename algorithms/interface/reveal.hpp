#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "sim/agents/agent.hpp"

namespace lagnet {

/// Numbers that the recorder may see in addition to the messages; they are no part of any method. Some numbers that are
/// worth recording never leave their agents, dual variables for instance. An agent reveals them here, at no cost in
/// time or bytes, and the agent that reports adds those to its report that belong to the messages it has got. No method
/// computes with them, so its messages, costs and iterates are the same without them. This is the only memory that
/// agents share.
class Reveal {
 public:
  explicit Reveal(Index agents) : shown_(static_cast<std::size_t>(agents)) {}
  /// Replaces what this agent has revealed before. Kernels of different agents may do so at the same time.
  void show(AgentId agent, Matrix numbers) { shown_[agent] = std::move(numbers); }
  /// An agent's revealed values at its last answer, as long as it has not been asked again.
  const Matrix& shown_by(AgentId agent) const { return shown_[agent]; }

 private:
  std::vector<Matrix> shown_;  // by agent
};

/// Created for each run, by Algorithm::spawn().
using SharedReveal = std::shared_ptr<Reveal>;

}  // namespace lagnet
