#pragma once

#include <coroutine>
#include <span>
#include <vector>

#include "sim/agents/runtime.hpp"
#include "sim/agents/task.hpp"
#include "sim/exchange/message_table.hpp"
#include "sim/exchange/neighbor_sums.hpp"
#include "sim/machine/workers.hpp"
#include "sim/world/topology_schedule.hpp"

namespace lagnet {

/// Shared by the agents of one world: their world, the messages that lie in their mailboxes, the sums that are due, the
/// threads that run kernels, and the list of those whose waits have ended.
class AgentCommons {
 public:
  /// All must outlive this.
  AgentCommons(Runtime& world, const Network& network, const WorldModel& model, unsigned threads, bool timing_only)
      : world_(world), network_(network), model_(model), timing_only_(timing_only), workers_(threads) {
    // One that starts again does not count its exchanges on from where it was.
    may_restart_ = model.availability && model.availability->loses_state();
    exchanges_are_loose_ = model.missing.kind != MissingNeighborKind::wait || model.topology || may_restart_;
  }
  AgentCommons(const AgentCommons&) = delete;
  AgentCommons& operator=(const AgentCommons&) = delete;

  Runtime& world() const { return world_; }
  const Network& network() const { return network_; }
  const WorldModel& model() const { return model_; }
  /// Whether the run has no numbers: kernels are not run, messages have sizes alone.
  bool timing_only() const { return timing_only_; }
  /// Whether a crash may lose an agent's state, so that it starts again.
  bool may_restart() const { return may_restart_; }
  /// Whether an exchange may go on without a neighbor's message. This also decides how a message finds its exchange: by
  /// the exchange's number among all, or among those of its round.
  bool exchanges_are_loose() const { return exchanges_are_loose_; }
  /// Whether the round runs on a link; always, unless the topology changes.
  bool active(LinkId link, Round round) {
    const TopologySchedule* schedule = model_.topology.get();
    return !schedule || schedule->active(link, round, round_graphs_.of(round, world_.now(), *schedule));
  }

  /// The agent's wait is over: it is resumed after the other events of this instant.
  void ready(AgentId agent, bool has_sum) {
    ready_.push_back(agent);
    sums_are_due_ |= has_sum;
  }
  MessageTable& messages() { return messages_; }
  NeighborSums& sums() { return sums_; }
  Workers& workers() { return workers_; }

  /// True for a child that the agent's task awaits, false for that task.
  bool is_awaited(AgentId agent, std::coroutine_handle<> coroutine) {
    const bool is_inner = coroutine != tasks_[agent].handle();
    some_are_awaited_ |= is_inner;
    return is_inner;
  }
  const Task<>& task(AgentId agent) const { return tasks_[agent]; }
  /// The number of the agent's last report.
  virtual Round last_report(AgentId agent) const = 0;

 protected:
  ~AgentCommons() = default;
  bool some_are_awaited() const { return some_are_awaited_; }

  std::span<Task<>> tasks_;  // by agent
  std::vector<AgentId> ready_;
  bool sums_are_due_ = false;  // of some of them

 private:
  Runtime& world_;
  const Network& network_;
  const WorldModel& model_;
  const bool timing_only_;
  bool may_restart_ = false;
  bool exchanges_are_loose_ = false;
  bool some_are_awaited_ = false;  // coroutines in which agents have waited, by their tasks
  MessageTable messages_;
  NeighborSums sums_;
  Workers workers_;
  RoundGraphs round_graphs_;  // of a topology that changes
};

}  // namespace lagnet
