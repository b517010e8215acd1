#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/base/sim_event.hpp"
#include "sim/world/compute.hpp"
#include "sim/world/network.hpp"
#include "sim/world/world_model.hpp"

/// The times of synchronous runs as a recursion of maxima and sums (F. Baccelli, G. Cohen, G. Olsder, J.-P. Quadrat,
/// "Synchronization and linearity", 1992): an agent goes on when the last message that it waits for is there, whatever
/// the messages say. So what agents do in one round, with the network, gives the times of all rounds.
namespace lagnet {

/// Something that an agent does.
struct Step {
  enum class Kind : std::uint8_t {
    pause,      // lets time pass; amount = nanoseconds
    compute,    // amount = flops
    send,       // over a link out of the agent; amount = bytes
    broadcast,  // over each link out of the agent, in their order; amount = bytes over each
    take,       // goes on when the next message over a link into the agent is there
    take_all,   // the same for each link into the agent
    report      // ends a round
  };
  Kind kind = Kind::report;
  LinkId link = no_link;  // of send and take
  std::int64_t amount = 0;
  bool operator==(const Step&) const = default;
};
using Steps = std::vector<Step>;

/// Of a run that something else than its rounds ends.
inline constexpr Round no_end = std::numeric_limits<Round>::max();

/// The steps of all agents of a synchronous run, by round.
struct EventGraph {
  std::vector<std::vector<Steps>> first;  // of each agent: rounds 0, 1, .. that are unlike the later ones
  std::vector<Steps> every;               // of each agent: any later round
  std::vector<std::array<Steps, 2>> end;  // of each agent: the last round of the run, and what follows it

  AgentId agents() const { return static_cast<AgentId>(every.size()); }
  /// `rounds` of the run, at least as many as the first that are unlike.
  const Steps& steps(AgentId agent, Round round, Round rounds) const {
    if (round >= rounds) return end[agent][static_cast<std::size_t>(round - rounds)];
    const auto& before = first[agent];
    return round < std::ssize(before) ? before[static_cast<std::size_t>(round)] : every[agent];
  }
};

/// The condition for the end of a step.
struct StepTimes {
  const Network& network;
  const ComputeModel& compute;
  WorldModel model = {.sharing = Sharing::fifo};  // not fair
};

/// The number of steps of a later round, one for each link of a step.
std::int64_t steps_in_round(const EventGraph& graph, const Network& network);

/// When the last agent that reports has reported round 0, 1, .. `last` of a run that stops after `rounds` at the
/// latest: to the nanosecond what the events give. Empty if agents would wait for messages that no agent sends. O(steps
/// of all rounds).
std::vector<Time> round_times(const EventGraph& graph, const StepTimes& world, Round last, Round rounds = no_end);

}  // namespace lagnet
