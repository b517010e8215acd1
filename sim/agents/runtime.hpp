#pragma once

#include <coroutine>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/agents/task.hpp"
#include "sim/base/compute_cost.hpp"
#include "sim/base/sim_event.hpp"
#include "sim/exchange/message_table.hpp"
#include "sim/exchange/neighbor_sums.hpp"
#include "sim/machine/workers.hpp"
#include "sim/world/network.hpp"
#include "sim/world/world_model.hpp"

namespace lagnet {

class Agent;

/// Takes the iterates that agents report. Reporting takes no simulated time.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// The parts of an agent's iterate after a round, as its algorithm lists them; the views end with the call.
  virtual void reported(AgentId agent, Round round, std::span<const VectorView> parts) = 0;
};

/// The seam between agents and their world. Everything an agent does to others, and all it knows of time, goes through
/// here.
class Runtime {
 public:
  virtual ~Runtime() = default;
  Time now() const { return now_; }
  virtual std::uint64_t seed() const = 0;
  const Network& network() const { return network_; }
  const WorldModel& rules() const { return rules_; }
  /// Whether the round runs on a link; always, unless the topology changes.
  virtual bool active(LinkId link, Round round) = 0;
  /// Sends the message at a place over one link, or one copy over each of the sender's links; nothing arrives at once.
  virtual void send(LinkId link, std::uint32_t slot, MessagePlace& place) = 0;
  virtual void broadcast(Message&& message) = 0;
  /// Calls Agent::wake(ticket) at that time, or when the agent is up again after it.
  virtual void wake_at(Time at, AgentId agent, std::uint32_t ticket) = 0;
  /// When so much time has passed in which the agent was up, and it is up to go on.
  virtual Time after(AgentId agent, Duration duration) const = 0;
  virtual Duration compute_time(AgentId agent, Round round, Cost work) const = 0;
  /// The agent's wait is over: it is resumed by the run loop after the other events of this instant.
  void ready(AgentId agent, bool has_sum) {
    ready_.push_back(agent);
    sums_are_due_ |= has_sum;
  }
  virtual void report(AgentId agent, Round round, std::span<const VectorView> parts) = 0;
  /// For whoever listens.
  void note(const SimEvent& what) {
    if (is_heard_) tell(what);
  }
  /// Whether the run has no numbers: kernels are not run, messages have sizes alone.
  bool is_timing_only() const { return is_timing_only_; }
  bool is_heard() const { return is_heard_; }  // notes are in vain unless it is so
  virtual const Task<>& task(AgentId agent) const = 0;
  /// Whether this is a coroutine that the task of an agent awaits, and not that task.
  bool is_awaited(AgentId agent, std::coroutine_handle<> coroutine) {
    const bool is_inner = coroutine != task(agent).handle();
    some_are_awaited_ |= is_inner;
    return is_inner;
  }
  /// Whether an exchange may go on without a neighbor's message, and how a message finds its exchange: by a count of
  /// all, or by one in the round.
  bool exchanges_are_loose() const { return exchanges_are_loose_; }
  virtual Workers& workers() = 0;
  MessageTable& messages() { return messages_; }
  NeighborSums& sums() { return sums_; }

 protected:
  /// Both must outlive the runtime; they need not be made yet.
  Runtime(const Network& network, const WorldModel& rules) : network_(network), rules_(rules) {}
  virtual void tell(const SimEvent& what) = 0;

  Time now_;
  std::vector<AgentId> ready_;
  bool sums_are_due_ = false;      // of some of them
  bool is_heard_ = false;          // whether anybody listens
  bool some_are_awaited_ = false;  // coroutines in which agents have waited, by their tasks
  bool exchanges_are_loose_ = false;
  bool is_timing_only_ = false;

 private:
  const Network& network_;
  const WorldModel& rules_;
  MessageTable messages_;
  NeighborSums sums_;
};

}  // namespace lagnet
