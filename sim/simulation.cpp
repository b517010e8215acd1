#include "sim/simulation.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/errors.hpp"

namespace lagnet {

Simulation::Simulation(Network network, ComputeModel compute, SimulationOptions options)
    : Runtime(network_, options_.rules),
      options_(std::move(options)),
      network_(std::move(network)),
      compute_(std::move(compute)),
      workers_(options_.threads),
      processes_(network_.agents()) {
  if (compute_.agents() != network_.agents())
    throw std::invalid_argument(
        fmt::format("expected {} speeds, one for each agent, found {}", network_.agents(), compute_.agents()));
  for (AgentId id = 0; id < network_.agents(); ++id) agents_.emplace_back(id, *this);
  const Rules& rules = options_.rules;
  if (rules.sharing != Sharing::none || !rules.faults.empty() || rules.availability || rules.topology)
    carrier_ = std::make_unique<Carrier>(network_, rules, options_.seed, static_cast<Carrier::World&>(*this));
}

Simulation::~Simulation() = default;

void Simulation::spawn(AgentId id, Task<> task, Role role) {
  LAGNET_CHECK(!processes_[id].task, "agent {} has a coroutine already", id);
  processes_[id].task = std::move(task);
  processes_[id].role = role;
  if (role == Role::main) ++unfinished_;
}

void Simulation::spawn(AgentId id, Program program, Role role) {
  spawn(id, program(agents_[id]), role);
  if (options_.rules.availability) processes_[id].program = std::make_unique<Program>(std::move(program));
}

void Simulation::stop(std::string reason) {
  if (stop_reason_.empty()) stop_reason_ = std::move(reason);
}

Ending Simulation::run() {
  // However the run ends, its kernels have run by then: they use the agents' states and frames, and what a caller
  // reads afterwards must not depend on the number of threads.
  struct Settling {
    std::deque<Agent>& agents;
    ~Settling() {
      for (Agent& agent : agents) agent.settle();
    }
  } const settling{agents_};
  schedule_restarts();
  for (AgentId id = 0; id < network_.agents(); ++id)
    if (processes_[id].task) agents_[id].start(processes_[id].task.handle());
  resume_ready();
  while (stop_reason_.empty() && unfinished_ > 0) {
    // Of those that could go on, some have finished, or none is left: what is still under way is for nobody.
    if ((some_finished_ || queue_.empty()) && all_gone()) {
      if (!some_finished_) stop("gone");
      break;
    }
    if (queue_.empty()) report_deadlock();
    const Time at = queue_.next_time();
    if (at > options_.end || at == Time::never()) {  // simulated time ends after 292 years, whatever was asked
      if (at > options_.end) now_ = options_.end;
      stop("simulated_s");
      break;
    }
    LAGNET_CHECK(at >= now_, "an event at {} ns comes up at {} ns", at.ns(), now_.ns());
    now_ = at;
    do apply(queue_.pop());
    while (!queue_.empty() && queue_.next_time() == at);
    resume_ready();
    check_conservation();
    if (observer_) observer_(now_);
  }
  return {.reason = stop_reason_.empty() ? "finished" : stop_reason_,
          .last_report = last_report_,
          .last_event = now_,
          .events = applied_};
}

// Events

Simulation::Event& Simulation::schedule(Time at, Kind kind) {
  EventSlot slot;
  if (free_.empty()) {
    slot = static_cast<EventSlot>(events_.size());
    events_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  queue_.push(at, slot);
  events_[slot].kind = kind;
  return events_[slot];
}

void Simulation::wake_at(Time at, AgentId agent, std::uint32_t ticket) {
  if (options_.rules.availability && at != Time::never()) at = options_.rules.availability->next_up(agent, at);
  if (at == Time::never() && options_.rules.availability) return;  // the agent has gone for good
  Event& event = schedule(at, Kind::timer);
  event.subject = agent;
  event.detail = ticket;
}

void Simulation::call_carrier_at(Time at, std::uint32_t token) { schedule(at, Kind::carrier).detail = token; }

void Simulation::note_sent(LinkId link, const Message& message, Bytes bytes) {
  balance(What::sent);
  note({.at = now_,
        .what = What::sent,
        .agent = message.from,
        .peer = network_.link(link).to,
        .link = link,
        .round = message.round,
        .amount = bytes,
        .serial = next_serial()});
  ++in_flight_;
}

void Simulation::send(LinkId link, Message message) {
  const Bytes bytes = options_.wire.wire_size(message.body);
  if (carrier_) return carrier_->send(link, std::move(message), bytes);
  note_sent(link, message, bytes);
  Event& event = schedule(saturated(now_, Network::travel_time(network_.link(link), bytes)), Kind::message);
  event.bytes = bytes;
  event.subject = link;
  event.detail = 1;
  event.serials_from = serials_ - link;
  event.message = std::move(message);
}

void Simulation::broadcast(Message message) {
  // One event for each distinct time of arrival. Receivers of equal time keep their order, and the events theirs,
  // so the run is the one that a message at a time would give.
  const Bytes bytes = options_.wire.wire_size(message.body);
  const LinkId first = network_.first_link(message.from);
  const auto links = network_.links_of(message.from);
  if (carrier_) {
    for (LinkId k = 0; k < links.size(); ++k) carrier_->send(first + k, message, bytes);
    return;
  }
  arrivals_.clear();
  const std::uint64_t serial = serials_ + 1;
  for (LinkId k = 0; k < links.size(); ++k) {
    note_sent(first + k, message, bytes);
    arrivals_.emplace_back(saturated(now_, Network::travel_time(links[k], bytes)), first + k);
  }
  if (!std::ranges::is_sorted(arrivals_)) std::ranges::sort(arrivals_);
  for (std::size_t begin = 0, end; begin < arrivals_.size(); begin = end) {
    const Time at = arrivals_[begin].first;
    for (end = begin; end < arrivals_.size() && arrivals_[end].first == at;) ++end;
    Event& event = schedule(at, Kind::message);
    event.bytes = bytes;
    event.serials_from = serial - first;
    event.message = message;
    if (end - begin == arrivals_.size()) {
      event.subject = first;
      event.detail = static_cast<LinkId>(links.size());
    } else if (end - begin == 1) {
      event.subject = arrivals_[begin].second;
      event.detail = 1;
    } else {
      event.kind = Kind::listed_message;
      if (free_lists_.empty()) {
        free_lists_.push_back(static_cast<std::uint32_t>(link_lists_.size()));
        link_lists_.emplace_back();
      }
      event.subject = free_lists_.back();
      free_lists_.pop_back();
      for (std::size_t i = begin; i < end; ++i) link_lists_[event.subject].push_back(arrivals_[i].second);
    }
  }
}

void Simulation::apply(EventSlot slot) {
  ++applied_;
  free_.push_back(slot);
  Event& pending = events_[slot];  // until something is scheduled
  switch (pending.kind) {
    case Kind::timer:
      return agents_[pending.subject].wake(pending.detail);
    case Kind::restart:
      return restart(pending.subject);
    case Kind::carrier:
      return carrier_->proceed(pending.detail);
    case Kind::message: {
      Event event = std::move(pending);
      for (LinkId k = 0; k + 1 < event.detail; ++k) deliver(event, event.subject + k, event.message);
      return deliver(event, event.subject + event.detail - 1, std::move(event.message));
    }
    case Kind::listed_message: {
      const Event event = std::move(pending);
      const std::vector<LinkId> links = std::exchange(link_lists_[event.subject], {});
      free_lists_.push_back(event.subject);
      for (const LinkId link : links) deliver(event, link, event.message);
    }
  }
}

void Simulation::deliver(const Event& event, LinkId link, Message message) {
  --in_flight_;
  balance(What::delivered);
  note({.at = now_,
        .what = What::delivered,
        .agent = network_.link(link).to,
        .peer = message.from,
        .link = link,
        .round = message.round,
        .amount = event.bytes,
        .duration = now_ - message.sent,
        .serial = event.serials_from + link});
  hand_over(link, std::move(message));
}

void Simulation::hand_over(LinkId link, Message message) {
  const Link& to = network_.link(link);
  agents_[to.to].deliver(std::move(message), to.slot_at_receiver);
}

void Simulation::balance(What what) {
  if (what == What::sent) ++on_the_way_;
  if (what == What::delivered || what == What::lost) --on_the_way_;
}

void Simulation::check_conservation() const {
  const std::int64_t under_way = in_flight_ + (carrier_ ? carrier_->in_flight() : 0);
  LAGNET_CHECK(on_the_way_ == under_way, "{} messages sent and neither delivered nor lost, {} in flight", on_the_way_,
               under_way);
}

bool Simulation::active(LinkId link, Round round) {
  const TopologySchedule* schedule = options_.rules.topology.get();
  return !schedule || schedule->active(link, round, round_graphs_.of(round, now_, *schedule));
}

// Agents

void Simulation::resume_ready() {
  resuming_.swap(ready_);
  summing_.clear();
  for (Agent* agent : resuming_)
    if (agent->prepare_sum()) summing_.push_back(agent->due_sum());
  if (!summing_.empty()) sums().add_up(summing_, network_.agents(), workers_);
  for (Agent* agent : resuming_) {
    resume(*agent);
    if (!stop_reason_.empty()) break;
  }
  resuming_.clear();
}

void Simulation::resume(Agent& agent) {
  agent.resume();
  Process& process = processes_[agent.id()];
  if (!process.task.done()) return;
  if (process.role == Role::main) {
    --unfinished_;
    some_finished_ = true;
  }
  try {
    process.task.result();
  } catch (const InternalError&) {
    throw;
  } catch (const std::exception& error) {
    throw AgentError(agent.id(), now_, error.what());
  }
}

Time Simulation::after(AgentId agent, Duration duration) const {
  return options_.rules.availability ? options_.rules.availability->finish(agent, now_, duration)
                                     : saturated(now_, duration);
}

void Simulation::schedule_restarts() {
  if (!options_.rules.availability) return;
  for (const auto& [agent, down, up] : options_.rules.availability->restarts())
    schedule(up, Kind::restart).subject = agent;
}

void Simulation::restart(AgentId agent) {
  Process& process = processes_[agent];
  if (!process.task || process.task.done()) return;
  agents_[agent].settle();
  if (!process.program) return agents_[agent].forget();
  process.task = (*process.program)(agents_[agent]);
  agents_[agent].restart(process.task.handle());
}

bool Simulation::all_gone() const {
  if (!options_.rules.availability) return false;
  for (AgentId id = 0; id < network_.agents(); ++id) {
    const Process& process = processes_[id];
    const bool goes_on = process.task && !process.task.done() && process.role == Role::main;
    // A time that never comes is one at which the agent will be gone.
    const bool stopped = queue_.empty() && agents_[id].waits_for_time();
    if (goes_on && !stopped && !options_.rules.availability->gone_for_good(id, now_)) return false;
  }
  return true;
}

void Simulation::report(AgentId agent, Round round, std::span<const VectorView> parts) {
  last_report_ = now_;
  if (recorder_) recorder_->reported(agent, round, parts);
}

bool Simulation::is_down(AgentId agent) const {
  return options_.rules.availability && !options_.rules.availability->up(agent, now_);
}

void Simulation::report_deadlock() {
  std::vector<Deadlock::Waiting> waiting;
  for (AgentId id = 0; id < network_.agents(); ++id)
    if (processes_[id].task && !processes_[id].task.done() && processes_[id].role == Role::main)
      waiting.push_back({id, agents_[id].waits_for() + (is_down(id) ? " (it is down)" : "")});
  throw Deadlock(now_, std::move(waiting));
}

}  // namespace lagnet
