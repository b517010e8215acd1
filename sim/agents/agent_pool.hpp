#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/agents/agent_commons.hpp"
#include "sim/agents/host.hpp"
#include "sim/agents/hosted_agent.hpp"
#include "sim/agents/task.hpp"
#include "sim/machine/huge_pages.hpp"
#include "sim/machine/processor.hpp"

namespace lagnet {

struct AgentPoolOptions {
  unsigned threads = 1;      // that run kernels
  bool timing_only = false;  // nothing is computed: agents send sizes, wait and let the times of their kernels pass
};

/// The agents of one world with their coroutines. The world that owns the pool hands it what arrives and the timers
/// that are due; the pool resumes the agents whose waits have ended. The pool makes no decision about time and order:
/// agents are resumed in the order in which they became ready.
class AgentPool final : public AgentCommons {
 public:
  using Role = Host::Role;
  using Program = Host::Program;

  /// Network and model are those of the world, and all three must outlive the pool. The constructor calls nothing of
  /// the world.
  AgentPool(Runtime& world, const Network& network, const WorldModel& model, AgentPoolOptions options);

  HostedAgent& operator[](AgentId id) { return agents_[id]; }
  const HostedAgent& operator[](AgentId id) const { return agents_[id]; }

  void spawn(AgentId id, Task<> task, Role role);
  /// The program is called again where a crash has lost the agent's state.
  void spawn(AgentId id, Program program, Role role);
  /// Starts the coroutine of each agent that has one, in the order of agents, until stop() is called.
  void start();

  /// A message has arrived over a link.
  void deliver(LinkId link, Message&& message);
  /// A timer is due.
  void wake(AgentId agent, std::uint32_t ticket) { agents_[agent].wake(ticket); }
  /// A crash has lost the agent's state, and it is up again: it starts anew, or has ended where it cannot.
  void restart(AgentId agent);

  /// Adds up the sums that are due and resumes the agents whose waits have ended. Throws AgentError when a coroutine or
  /// kernel threw; InternalError, WorldLimit, Divergence, which gets the time, and a recorder's UserCodeError pass
  /// through.
  void resume_ready() {
    if (sums_are_due_) add_due_sums();
    // None of them makes another one ready: nothing that is sent arrives at once.
    const std::size_t count = ready_.size();
    for (std::size_t k = 0; k < count; ++k) {
      if (k + 8 < count) agents_[ready_[k + 8]].prefetch_frames();
      const AgentId agent = ready_[k];
      agents_[agent].resume();
      if (!agents_[agent].waits() && tasks_[agent].done()) finish(agent);
      if (is_stopped_) break;
    }
    ready_.clear();
  }
  /// resume_ready() returns after the coroutine that is running now.
  void stop() { is_stopped_ = true; }
  /// Waits for kernels that still run.
  void settle();

  std::size_t unfinished() const { return unfinished_; }  // main coroutines
  bool some_finished() const { return some_finished_; }   // since the start
  bool goes_on(AgentId id) const { return tasks_[id] && !tasks_[id].done(); }
  /// Whether it is a main agent that has not ended.
  bool keeps_run_going(AgentId id) const { return goes_on(id) && !is_daemon_[id]; }

  Round last_report(AgentId agent) const override { return agents_[agent].last_report(); }

  void prefetch_task(AgentId agent) const {
    if (some_are_awaited()) prefetch(&tasks_[agent]);
  }

 private:
  HugePageVector<HostedAgent> make_agents();
  void add_due_sums();
  void finish(AgentId agent);
  void count_end(AgentId agent);

  HugePageVector<HostedAgent> agents_;
  HugePageVector<Task<>> own_tasks_;  // of the agents
  std::vector<bool> is_daemon_;       // by agent
  std::vector<Program> programs_;     // by agent, where they may be needed again
  std::vector<NeighborSum> summing_;  // those that are due
  std::size_t unfinished_ = 0;
  bool some_finished_ = false;
  bool is_stopped_ = false;
};

}  // namespace lagnet
