#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "sim/agents/task.hpp"
#include "sim/base/types.hpp"
#include "sim/world/world_model.hpp"

namespace lagnet {

class Agent;

/// Runs the coroutines of agents: a simulation, or a world without simulated time. A method puts its agents here and
/// knows nothing else of the world that they run in.
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
  /// True for a timing-only run: agents send, wait and take time to compute, without numbers.
  virtual bool timing_only() const = 0;
  /// The agent's neighbors, ascending.
  virtual std::span<const AgentId> neighbors(AgentId id) const = 0;
  virtual const WorldModel& model() const = 0;
};

}  // namespace lagnet
