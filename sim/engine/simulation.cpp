#include "sim/engine/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <stdexcept>

#include "sim/base/errors.hpp"
#include "sim/machine/processor.hpp"

namespace lagnet {

namespace {
/// So many events may lie in the cache with their agents, links and messages, about 512 bytes each. Under a thousand of
/// them are not worth looking ahead for in any cache.
std::size_t events_in_cache() {
  return static_cast<std::size_t>(std::max<std::int64_t>(1024, second_level_cache() / 512));
}

/// Where messages take longer the larger they are.
bool small_messages_overtake(const Network& network) {
  const auto links = std::views::iota(LinkId{0}, network.links());
  return std::ranges::any_of(links, [&](LinkId id) { return std::isfinite(network.link(id).narrowest_bytes_per_s); });
}

}  // namespace

Simulation::Simulation(Network network, ComputeModel compute, SimulationOptions options)
    : options_(std::move(options)),
      network_(std::move(network)),
      compute_(std::move(compute)),
      events_in_cache_(events_in_cache()),
      last_instant_(std::min(options_.end, Time::nanoseconds(Time::never().ns() - 1))),
      agents_(*this, network_, options_.model, {.threads = options_.threads, .timing_only = options_.timing_only}) {
  if (compute_.agents() != network_.agents())
    throw std::invalid_argument(
        fmt::format("expected {} speeds, one for each agent, found {}", network_.agents(), compute_.agents()));
  const WorldModel& model = options_.model;
  if (model.sharing != Sharing::none || !model.faults.empty() || model.availability || model.topology ||
      network_.has_schedules() || network_.has_losses())
    transport_ = std::make_unique<Transport>(network_, model, options_.seed, static_cast<Transport::World&>(*this));
  else if (model.in_order && small_messages_overtake(network_))
    order_ = LinkOrder(network_.links());
}

Simulation::~Simulation() = default;

void Simulation::listen(Listener& listener) {
  for (std::size_t kind = 0; kind < listeners_.size(); ++kind)
    if (listener.wants(static_cast<EventKind>(kind))) listeners_[kind].push_back(&listener);
  is_heard_ = true;
  hears_takes_ |= listener.wants(EventKind::took);
}

Ending Simulation::run() {
  // However the run ends, its kernels have run by then: they use the agents' states and frames, and what a caller
  // reads afterwards must not depend on the number of threads.
  struct Settling {
    AgentPool& agents;
    ~Settling() { agents.settle(); }
  } const settling{agents_};
  schedule_restarts();
  agents_.start();
  while (!end_reason_ && agents_.unfinished() > 0) {
    // Of the agents that could continue, some have finished, or none is left: messages in flight have no receiver.
    if ((agents_.some_finished() || queue_.empty()) && all_gone()) {
      if (!agents_.some_finished()) end(EndReason::gone);
      break;
    }
    if (queue_.empty()) {
      look_until(saturated(now_, Duration::nanoseconds(1)));
      if (end_reason_) break;
      report_deadlock();
    }
    if (queue_.next_time() > last_instant_) {
      const bool is_limit = queue_.next_time() > options_.end;
      if (is_limit) look_until(saturated(options_.end, Duration::nanoseconds(1)));
      if (end_reason_) break;
      if (is_limit) now_ = options_.end;
      end(is_limit ? EndReason::time_limit : EndReason::time_ends);
      break;
    }
    run_instants();
  }
  check_conservation();
  return {.reason = end_reason_.value_or(EndReason::finished),
          .last_report = last_report_,
          .last_event = now_,
          .events = applied_};
}

void Simulation::look_until(Time before) {
  while (watch_at_ < before && !end_reason_) {
    const Time next = watcher_->look(watch_at_);
    LAGNET_CHECK(next > watch_at_, "a watcher looks at {} ns after {} ns", next.ns(), watch_at_.ns());
    watch_at_ = next;
  }
}

std::vector<SimEvent> Simulation::waits_under_way() const {
  std::vector<SimEvent> waits;
  for (AgentId id = 0; id < network_.agents(); ++id)
    if (const auto wait = agents_[id].wait_under_way()) waits.push_back(*wait);
  return waits;
}

std::int64_t Simulation::count_pending() {
  std::int64_t count = transport_ ? transport_->without_token() : 0;
  queue_.for_each([&](const Event& event) {
    if (event.kind() == Kind::message) ++count;
    if (event.kind() == Kind::broadcast)
      count += std::ssize(network_.links_of(messages()[event.subject()].message.from));
    if (event.kind() == Kind::listed_message) count += std::ssize(link_lists_[event.detail()]);
    if (event.kind() == Kind::transport && transport_->is_under_way(event.detail())) ++count;
  });
  return count;
}

// Each check goes through the whole queue, so the next one comes when several times as many events are over.
void Simulation::check_conservation() {
  constexpr std::int64_t at_least = 1024, times = 16;
  const std::int64_t pending = count_pending();
  LAGNET_CHECK(on_the_way_ == pending, "{} messages sent and neither delivered nor lost, {} under way at {} ns",
               on_the_way_, pending, now_.ns());
  next_check_ = applied_ + std::max(at_least, times * static_cast<std::int64_t>(queue_.size()));
}

void Simulation::schedule_restarts() {
  if (!options_.model.availability) return;
  for (const auto& [agent, down, up] : options_.model.availability->restarts()) schedule(up, Kind::restart, agent, 0);
}

bool Simulation::all_gone() const {
  if (!options_.model.availability) return false;
  for (AgentId id = 0; id < network_.agents(); ++id) {
    // A time that never comes is one at which the agent will be gone.
    const bool stopped = queue_.empty() && agents_[id].waits_for_time();
    if (agents_.keeps_run_going(id) && !stopped && !options_.model.availability->gone_for_good(id, now_)) return false;
  }
  return true;
}

void Simulation::report_deadlock() {
  check_conservation();  // a message that was lost without a word leaves its receiver waiting, too
  std::vector<Deadlock::Waiting> waiting;
  for (AgentId id = 0; id < network_.agents(); ++id)
    if (agents_.keeps_run_going(id))
      waiting.push_back({id, agents_[id].waits_for() + (is_down(id) ? " (it is down)" : "")});
  throw Deadlock(now_, std::move(waiting));
}

}  // namespace lagnet
