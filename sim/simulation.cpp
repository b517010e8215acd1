#include "sim/simulation.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/errors.hpp"

namespace lagnet {

Simulation::Simulation(Network network, ComputeModel compute, SimulationOptions options)
    : options_(std::move(options)),
      network_(std::move(network)),
      compute_(std::move(compute)),
      workers_(options_.threads),
      processes_(network_.agents()) {
  if (compute_.agents() != network_.agents())
    throw std::invalid_argument(
        fmt::format("expected {} speeds, one for each agent, found {}", network_.agents(), compute_.agents()));
  for (AgentId id = 0; id < network_.agents(); ++id) agents_.emplace_back(id, *this);
}

Simulation::~Simulation() = default;

void Simulation::spawn(AgentId id, Task<> task, Role role) {
  LAGNET_CHECK(!processes_[id].task, "agent {} has a coroutine already", id);
  processes_[id].task = std::move(task);
  processes_[id].role = role;
  if (role == Role::main) ++unfinished_;
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
  for (AgentId id = 0; id < network_.agents(); ++id)
    if (processes_[id].task) agents_[id].start(processes_[id].task.handle());
  resume_ready();
  while (stop_reason_.empty() && unfinished_ > 0) {
    if (queue_.empty()) report_deadlock();
    const Time at = queue_.next_time();
    if (at > options_.end) {
      now_ = options_.end;
      stop("simulated_s");
      break;
    }
    LAGNET_CHECK(at >= now_, "an event at {} ns comes up at {} ns", at.ns(), now_.ns());
    now_ = at;
    do apply(queue_.pop());
    while (!queue_.empty() && queue_.next_time() == at);
    resume_ready();
    if (observer_) observer_(now_);
  }
  return {.reason = stop_reason_.empty() ? "finished" : stop_reason_,
          .last_report = last_report_,
          .last_event = now_,
          .events = applied_};
}

// Events

void Simulation::schedule(Time at, Event event) {
  EventSlot slot;
  if (free_.empty()) {
    slot = static_cast<EventSlot>(events_.size());
    events_.push_back(std::move(event));
  } else {
    slot = free_.back();
    free_.pop_back();
    events_[slot] = std::move(event);
  }
  queue_.push(at, slot);
}

void Simulation::wake_at(Time at, AgentId agent, std::uint32_t ticket) {
  Event event;
  event.agent = agent;
  event.ticket = ticket;
  schedule(at, std::move(event));
}

void Simulation::note_sent(LinkId link, const Message& message, Bytes bytes) {
  note({.at = now_,
        .what = What::sent,
        .agent = message.from,
        .peer = network_.link(link).to,
        .link = link,
        .round = message.round,
        .amount = bytes});
}

void Simulation::send(LinkId link, Message message) {
  Event event;
  event.is_message = true;
  event.bytes = options_.wire.wire_size(message.body);
  event.first_link = link;
  event.link_count = 1;
  note_sent(link, message, event.bytes);
  event.message = std::move(message);
  schedule(now_ + Network::travel_time(network_.link(link), event.bytes), std::move(event));
}

void Simulation::broadcast(Message message) {
  // One event for each distinct time of arrival. Receivers of equal time keep their order, and the events theirs,
  // so the run is the one that a message at a time would give.
  const Bytes bytes = options_.wire.wire_size(message.body);
  const LinkId first = network_.first_link(message.from);
  const auto links = network_.links_of(message.from);
  arrivals_.clear();
  for (LinkId k = 0; k < links.size(); ++k) {
    note_sent(first + k, message, bytes);
    arrivals_.emplace_back(now_ + Network::travel_time(links[k], bytes), first + k);
  }
  if (!std::ranges::is_sorted(arrivals_)) std::ranges::sort(arrivals_);
  for (std::size_t begin = 0, end; begin < arrivals_.size(); begin = end) {
    const Time at = arrivals_[begin].first;
    for (end = begin; end < arrivals_.size() && arrivals_[end].first == at;) ++end;
    Event event;
    event.is_message = true;
    event.bytes = bytes;
    event.message = message;
    if (end - begin == arrivals_.size()) {
      event.first_link = first;
      event.link_count = static_cast<LinkId>(links.size());
    } else if (end - begin == 1) {
      event.first_link = arrivals_[begin].second;
      event.link_count = 1;
    } else {
      for (std::size_t i = begin; i < end; ++i) event.links.push_back(arrivals_[i].second);
    }
    schedule(at, std::move(event));
  }
}

void Simulation::apply(EventSlot slot) {
  ++applied_;
  const Event event = std::exchange(events_[slot], Event());
  free_.push_back(slot);
  if (!event.is_message) return agents_[event.agent].wake(event.ticket);
  for (LinkId k = 0; k < event.link_count; ++k) deliver(event, event.first_link + k);
  for (const LinkId link : event.links) deliver(event, link);
}

void Simulation::deliver(const Event& event, LinkId link) {
  const Link& to = network_.link(link);
  note({.at = now_,
        .what = What::delivered,
        .agent = to.to,
        .peer = event.message.from,
        .link = link,
        .round = event.message.round,
        .amount = event.bytes});
  agents_[to.to].deliver(event.message, to.slot_at_receiver);
}

// Agents

void Simulation::resume_ready() {
  resuming_.swap(ready_);
  summing_.clear();
  for (Agent* agent : resuming_)
    if (agent->prepare_sum()) summing_.push_back(agent);
  if (!summing_.empty()) workers_.for_each(summing_.size(), [this](std::size_t i) { summing_[i]->add_up(); });
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
  if (process.role == Role::main) --unfinished_;
  try {
    process.task.result();
  } catch (const InternalError&) {
    throw;
  } catch (const std::exception& error) {
    throw AgentError(agent.id(), now_, error.what());
  }
}

void Simulation::report(AgentId agent, Round round, std::span<const VectorView> parts) {
  last_report_ = now_;
  if (recorder_) recorder_->reported(agent, round, parts);
}

void Simulation::report_deadlock() {
  std::vector<Deadlock::Waiting> waiting;
  for (AgentId id = 0; id < network_.agents(); ++id)
    if (processes_[id].task && !processes_[id].task.done() && processes_[id].role == Role::main)
      waiting.push_back({id, agents_[id].waits_for()});
  throw Deadlock(now_, std::move(waiting));
}

}  // namespace lagnet
