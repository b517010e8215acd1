#include "sim/agents/agent_pool.hpp"

#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

AgentPool::AgentPool(Runtime& world, const Network& network, const WorldModel& model, AgentPoolOptions options)
    : AgentCommons(world, network, model, options.threads, options.timing_only),
      agents_(make_agents()),
      own_tasks_(network.agents()),
      is_daemon_(network.agents()) {
  tasks_ = own_tasks_;
}

HugePageVector<HostedAgent> AgentPool::make_agents() {
  std::vector<HostedAgent::Seat> seats;
  seats.reserve(network().agents());
  for (AgentId id = 0; id < network().agents(); ++id) seats.emplace_back(id, *this);
  return HugePageVector<HostedAgent>(seats.begin(), seats.end());
}

void AgentPool::spawn(AgentId id, Task<> task, Role role) {
  LAGNET_CHECK(!tasks_[id] && id < max_subjects, "agent {} has a coroutine or is above what events can name", id);
  tasks_[id] = std::move(task);
  is_daemon_[id] = role == Role::daemon;
  if (role == Role::main) ++unfinished_;
}

void AgentPool::spawn(AgentId id, Program program, Role role) {
  spawn(id, program(agents_[id]), role);
  if (!model().availability) return;
  programs_.resize(network().agents());
  programs_[id] = std::move(program);
}

void AgentPool::start() {
  for (AgentId id = 0; id < network().agents() && !is_stopped_; ++id)
    if (tasks_[id]) {
      agents_[id].start(tasks_[id]);
      resume_ready();
    }
}

void AgentPool::deliver(LinkId link, Message&& message) {
  const Link& to = network().link(link);
  if (message.receipt && !message.copy) agents_[message.from].arrived(message);
  agents_[to.to].deliver(std::move(message), to.slot_at_receiver);
}

void AgentPool::restart(AgentId agent) {
  if (!goes_on(agent)) return;
  agents_[agent].settle();
  if (programs_.empty() || !programs_[agent]) {
    agents_[agent].forget();
    tasks_[agent] = Task<>();
    return count_end(agent);
  }
  tasks_[agent] = programs_[agent](agents_[agent]);
  agents_[agent].restart(tasks_[agent]);
}

void AgentPool::add_due_sums() {
  sums_are_due_ = false;
  summing_.clear();
  const std::size_t count = ready_.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (k + 8 < count) agents_[ready_[k + 8]].prefetch_wait_state();
    if (k + 4 < count) agents_[ready_[k + 4]].prefetch_sum();
    HostedAgent& agent = agents_[ready_[k]];
    if (agent.prepare_sum()) summing_.push_back(agent.due_sum());
  }
  if (!summing_.empty()) sums().add_up(summing_, network().agents(), workers());
}

void AgentPool::count_end(AgentId agent) {
  if (is_daemon_[agent]) return;
  --unfinished_;
  some_finished_ = true;
}

[[gnu::noinline]] void AgentPool::finish(AgentId agent) {
  count_end(agent);
  const bool is_done = agents_[agent].end();
  try {
    tasks_[agent].result();
  } catch (const WorldLimit&) {
    throw;
  } catch (const InternalError&) {
    throw;
  } catch (Divergence& divergence) {
    divergence.at = world().now();
    throw;
  } catch (const UserCodeError& error) {
    if (!error.is_of_agent) throw;
    throw AgentError(agent, world().now(), last_report(agent), error.what(), error.cause);
  } catch (const std::exception& error) {
    throw AgentError(agent, world().now(), last_report(agent), error.what());
  }
  LAGNET_CHECK(is_done, "agent {} has ended and not computed since it got the pieces of a sum", agent);
}

void AgentPool::settle() {
  for (HostedAgent& agent : agents_) agent.settle();
}

}  // namespace lagnet
