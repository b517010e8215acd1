// tidy: long because run_instants() inlines all of its own parts, which must stand in one source for it.
#include "sim/engine/simulation.hpp"

#include <algorithm>
#include <ranges>
#include <stdexcept>

#include "sim/base/errors.hpp"
#include "sim/engine/look_ahead.hpp"
#include "sim/machine/cache_size.hpp"
#include "sim/machine/flattened.hpp"

namespace lagnet {

namespace {
/// So many events may lie in the cache with their agents, links and messages, about 512 bytes each. Under a thousand of
/// them are not worth looking ahead for in any cache.
std::size_t events_in_cache() {
  return static_cast<std::size_t>(std::max<std::int64_t>(1024, second_level_cache() / 512));
}

/// The links of an agent, by their numbers.
auto numbers(LinkId first, std::size_t count) { return std::views::iota(first, first + static_cast<LinkId>(count)); }
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
  if (model.sharing != Sharing::none || !model.faults.empty() || model.availability || model.topology)
    transport_ = std::make_unique<Transport>(network_, model, options_.seed, static_cast<Transport::World&>(*this));
}

Simulation::~Simulation() = default;

void Simulation::listen(Listener& listener) {
  for (std::size_t kind = 0; kind < listeners_.size(); ++kind)
    if (listener.wants(static_cast<EventKind>(kind))) listeners_[kind].push_back(&listener);
  is_heard_ = true;
}

// All of its own parts are inlined. Without the three flatten attributes of sim, a message of bench_instructions takes
// 3 to 7 % more instructions.
LAGNET_FLATTENED void Simulation::run_instants() {
  for (Time at = queue_.next_time(); at <= last_instant_; at = queue_.next_time()) {
    LAGNET_CHECK(at >= now_, "an event at {} ns comes up at {} ns", at.ns(), now_.ns());
    now_ = at;
    std::size_t ordered = 0;  // of this time, which are next in the queue
    do {
      if (queue_.size() > events_in_cache_)
        look_ahead(queue_.upcoming(), agents_, network_, listeners_[std::size_t(EventKind::delivered)]);
      Event event = queue_.pop();
      if (ordered > 0) {
        --ordered;
      } else if (queue_.next_time() == at) {
        const auto tied = order_tied_events();
        event = tied.front().event;
        ordered = tied.size() - 1;
      }
      apply(event);
    } while (queue_.next_time() == at);
    agents_.resume_ready();
    if (applied_ >= next_check_) check_conservation();
    if (agents_.some_finished() || end_reason_) return;
  }
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
    // Of those that could go on, some have finished, or none is left: what is still under way is for nobody.
    if ((agents_.some_finished() || queue_.empty()) && all_gone()) {
      if (!agents_.some_finished()) end(EndReason::gone);
      break;
    }
    if (queue_.empty()) report_deadlock();
    if (queue_.next_time() > last_instant_) {
      const bool is_limit = queue_.next_time() > options_.end;
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

std::vector<SimEvent> Simulation::waits_under_way() const {
  std::vector<SimEvent> waits;
  for (AgentId id = 0; id < network_.agents(); ++id)
    if (const auto wait = agents_[id].wait_under_way()) waits.push_back(*wait);
  return waits;
}

// Events

SimEvent Simulation::sending(const Message& message, Bytes bytes) const {
  return {.at = now_, .what = EventKind::sent, .agent = message.from, .round = message.round, .amount = bytes};
}

[[gnu::noinline]] void Simulation::tell_sent(const Message& message, LinkId link, Bytes bytes) {
  SimEvent what = sending(message, bytes);
  tell_sent(link, what);
}

void Simulation::tell_sent(LinkId link, SimEvent& what) {
  what.peer = network_.link(link).to;
  what.link = link;
  what.serial = serials_;
  tell(what);
}

LAGNET_FLATTENED void Simulation::send(LinkId link, Message&& message) {
  const Bytes bytes = options_.wire.wire_size(message.body);
  if (transport_) return transport_->send(link, std::move(message), bytes);
  count_sent();
  if (is_heard_) tell_sent(message, link, bytes);
  const std::uint32_t slot = messages().hold(std::move(message));
  messages()[slot].on_the_way = {.sent = now_, .serials_from = serials_ - link};
  schedule(saturated(now_, Network::travel_time(network_.link(link), bytes)), Kind::message, slot, link);
}

void Simulation::broadcast(Message&& message) {
  // One event for each distinct time of arrival. Receivers of equal time keep their order, and the events theirs,
  // so the run is the one that a message at a time would give.
  const Bytes bytes = options_.wire.wire_size(message.body);
  const LinkId first = network_.first_link(message.from);
  const auto links = network_.links_of(message.from);
  if (transport_) {
    for (LinkId k = 0; k < links.size(); ++k) transport_->send(first + k, Message(message), bytes);
    return;
  }
  arrivals_.clear();
  const std::uint64_t serial = serials_ + 1;
  SimEvent what = sending(message, bytes);
  for (LinkId k = 0; k < links.size(); ++k) {
    count_sent();
    if (is_heard_) tell_sent(first + k, what);
    arrivals_.emplace_back(saturated(now_, Network::travel_time(links[k], bytes)), first + k);
  }
  if (!std::ranges::is_sorted(arrivals_)) std::ranges::sort(arrivals_);
  for (std::size_t begin = 0, end; begin < arrivals_.size(); begin = end) {
    const Time at = arrivals_[begin].first;
    for (end = begin; end < arrivals_.size() && arrivals_[end].first == at;) ++end;
    const std::uint32_t slot = messages().take();
    MessagePlace& place = messages()[slot];
    place.message = end < arrivals_.size() ? message : std::move(message);
    place.on_the_way = {.sent = now_, .serials_from = serial - first};
    schedule_arrivals(at, slot, begin, end);
  }
}

void Simulation::schedule_arrivals(Time at, std::uint32_t slot, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return schedule(at, Kind::message, slot, arrivals_[begin].second);
  if (end - begin == arrivals_.size()) return schedule(at, Kind::broadcast, slot, arrivals_[begin].second);
  const std::uint32_t list = link_lists_.take();
  for (std::size_t i = begin; i < end; ++i) link_lists_[list].push_back(arrivals_[i].second);
  schedule(at, Kind::listed_message, slot, list);
}

[[gnu::noinline]] std::span<const EventQueue::Entry> Simulation::order_tied_events() {
  const std::span<EventQueue::Entry> tied = queue_.tied_with_last();
  tied_events_.sort(tied, [this](Event event) { return place_of(event); });
  return tied;
}

// An agent's count of what it sends is the serial number, which ascends with it. Of its timers at most one ends its
// wait.
TiedEvents::Place Simulation::place_of(Event event) {
  using Rank = TiedEvents::Rank;
  const std::uint32_t subject = event.subject(), detail = event.detail();
  const auto sent = [&](LinkId link) -> TiedEvents::Place {
    const MessagePlace& message = messages()[subject];
    return {Rank::caused, message.message.from, message.on_the_way.serials_from + link};
  };
  switch (event.kind()) {
    case Kind::restart:
      return {Rank::restart, subject, 0};
    case Kind::timer:
      return {Rank::caused, subject, 0};
    case Kind::transport:
      if (!transport_->is_parcel(detail)) return {Rank::transfers, 0, 0};
      return {Rank::caused, transport_->sender(detail), transport_->serial(detail)};
    case Kind::message:
    case Kind::broadcast:
      return sent(detail);
    case Kind::listed_message:
      break;
  }
  return sent(link_lists_[detail].front());
}

void Simulation::apply(Event event) {
  ++applied_;
  switch (event.kind()) {
    case Kind::timer:
      return agents_.wake(event.subject(), event.detail());
    case Kind::restart:
      return agents_.restart(event.subject());
    case Kind::transport:
      return transport_->proceed(event.detail());
    case Kind::message:
      return deliver_alone(event.subject(), event.detail());
    case Kind::broadcast: {
      const AgentId from = messages()[event.subject()].message.from;
      return deliver_to_each(event.subject(), numbers(event.detail(), network_.links_of(from).size()));
    }
    case Kind::listed_message:
      deliver_to_each(event.subject(), link_lists_[event.detail()]);
      link_lists_.give_back(event.detail());
  }
}

void Simulation::deliver_alone(std::uint32_t slot, LinkId link) {
  MessagePlace& place = messages()[slot];
  if (is_strict(place.message)) return deliver_to_each(slot, numbers(link, 1));
  const Link& to = network_.link(link);
  const bool stays = agents_[to.to].keeps(place.message);
  note_delivered(place, link);
  if (stays) {
    if (place.message.receipt) agents_[place.message.from].arrived(place.message);
    return agents_[to.to].keep(slot, place, to.slot_at_receiver);
  }
  hand_over(link, std::move(place.message));
  place.message.body = Payload();  // of one that was dropped
  messages().give_back(slot);
}

void Simulation::deliver_to_each(std::uint32_t slot, const auto& links) {
  MessagePlace& place = messages()[slot];
  if (is_strict(place.message)) {
    SimEvent what = delivery(place);
    constexpr std::ptrdiff_t ahead = 8;  // among many receivers, whose places lie far apart
    for (auto next = links.begin(); next != links.end(); ++next) {
      if (links.end() - next > ahead) {
        const Link& later = network_.link(next[ahead]);
        agents_[later.to].prefetch_place(place.message, later.slot_at_receiver);
      }
      const LinkId id = *next;
      const Link& link = network_.link(id);
      --on_the_way_;
      if (is_heard_) tell_delivered(place, id, what);
      agents_[link.to].deliver_strictly(place.message, link.slot_at_receiver);
    }
  } else {
    for (const LinkId id : links) {
      note_delivered(place, id);
      hand_over(id, Message(place.message));
    }
  }
  place.message.body = Payload();
  messages().give_back(slot);
}

SimEvent Simulation::delivery(const MessagePlace& place) const {
  return {.at = now_,
          .what = EventKind::delivered,
          .peer = place.message.from,
          .round = place.message.round,
          .amount = options_.wire.wire_size(place.message.body),
          .duration = now_ - place.on_the_way.sent};
}

void Simulation::tell_delivered(const MessagePlace& place, LinkId link, SimEvent& what) {
  what.agent = network_.link(link).to;
  what.link = link;
  what.serial = place.on_the_way.serials_from + link;
  tell(what);
}

void Simulation::note_delivered(const MessagePlace& place, LinkId link) {
  --on_the_way_;
  if (!is_heard_) return;
  SimEvent what = delivery(place);
  tell_delivered(place, link, what);
}

std::int64_t Simulation::count_pending() {
  std::int64_t count = transport_ ? transport_->transfers_under_way() : 0;
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

// Agents

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
