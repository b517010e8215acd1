#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "sim/agents/task.hpp"
#include "sim/base/types.hpp"
#include "sim/world/world_model.hpp"

namespace lagnet {

class Agent;

/// Runs the coroutines of agents: a simulation, or a world that is none. A method puts its agents here and knows
/// nothing else of the world that they run in.
class Host {
 public:
  /// A daemon does not keep the run going.
  enum class Role { main, daemon };
  /// Called again where a crash has lost the agent's state.
  using Program = std::function<Task<>(Agent&)>;

  virtual ~Host() = default;
  /// Gives an agent its coroutine, before the run.
  virtual void spawn(AgentId id, Program program, Role role = Role::main) = 0;
  virtual std::uint64_t seed() const = 0;
  /// Whether agents only send, wait and compute for the times of it, without numbers.
  virtual bool timing_only() const = 0;
  /// The agent's neighbors, ascending.
  virtual std::span<const AgentId> neighbors(AgentId id) const = 0;
  virtual const WorldModel& model() const = 0;
};

}  // namespace lagnet
