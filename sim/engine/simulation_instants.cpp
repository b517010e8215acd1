// The events of a run: sending, arrival and delivery. They are in one source, since run_instants() inlines all of them,
// and are compiled apart from other sources, which it would inline as well.
#include "sim/engine/simulation.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "sim/base/errors.hpp"
#include "sim/engine/look_ahead.hpp"
#include "sim/machine/flattened.hpp"

namespace lagnet {

namespace {
/// The links of an agent, by their numbers.
auto numbers(LinkId first, std::size_t count) { return std::views::iota(first, first + static_cast<LinkId>(count)); }
}  // namespace

// All of its own parts are inlined. Without the three flatten attributes of sim, a message of bench_instructions takes
// 3 to 7 % more instructions.
LAGNET_FLATTENED void Simulation::run_instants() {
  for (Time at = queue_.next_time(); at <= last_instant_; at = queue_.next_time()) {
    LAGNET_CHECK(at >= now_, "an event at {} ns comes up at {} ns", at.ns(), now_.ns());
    if (at > watch_at_) {
      look_until(at);
      if (end_reason_) return;
    }
    now_ = at;
    std::size_t ordered = 0;  // of this time, which are next in the queue
    do {
      if (queue_.size() > events_in_cache_)
        look_ahead(queue_.upcoming(), agents_, network_, transport_.get(),
                   listeners_[std::size_t(EventKind::delivered)]);
      Event event = queue_.pop();
      if (ordered > 0) {
        --ordered;
      } else if (queue_.next_time() == at) {
        const auto tied = order_tied_events();
        event = tied.front().event;
        ordered = tied.size() - 1;
      }
      apply(event);
      if (is_unordered_) [[unlikely]] {
        ordered = 0;
        is_unordered_ = false;
      }
    } while (queue_.next_time() == at);
    agents_.resume_ready();
    if (applied_ >= next_check_) check_conservation();
    if (agents_.some_finished() || end_reason_) return;
  }
}

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
  const Time there = saturated(now_, Network::travel_time(network_.link(link), bytes));
  schedule(order_.come(link, there), Kind::message, slot, link);
}

void Simulation::broadcast(Message&& message) {
  // One event for each distinct time of arrival. Receivers of equal time keep their order, and the events theirs,
  // so the run is the one that a message at a time would give.
  const Bytes bytes = options_.wire.wire_size(message.body);
  const LinkId first = network_.first_link(message.from);
  const auto links = network_.links_of(message.from);
  if (transport_) {
    targets_.clear();
    const auto targets = network_.links_from(message.from, options_.model.rotates_broadcasts());
    std::ranges::copy(targets, std::back_inserter(targets_));
    transport_->broadcast(targets_, std::move(message), bytes);
    return;
  }
  arrivals_.clear();
  const std::uint64_t serial = serials_ + 1;
  SimEvent what = sending(message, bytes);
  for (LinkId k = 0; k < links.size(); ++k) {
    count_sent();
    if (is_heard_) tell_sent(first + k, what);
    const Time there = saturated(now_, Network::travel_time(links[k], bytes));
    arrivals_.emplace_back(order_.come(first + k, there), first + k);
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
      if (transport_->is_beginning(detail)) return {Rank::beginning, detail, 0};
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
  if (order_.is_kept()) what.queued = what.duration - Network::travel_time(network_.link(link), what.amount);
  tell(what);
}

void Simulation::note_delivered(const MessagePlace& place, LinkId link) {
  --on_the_way_;
  if (!is_heard_) return;
  SimEvent what = delivery(place);
  tell_delivered(place, link, what);
}

}  // namespace lagnet
