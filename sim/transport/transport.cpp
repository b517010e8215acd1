#include "sim/transport/transport.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

#include "sim/base/errors.hpp"
#include "sim/machine/poison.hpp"

namespace lagnet {

namespace {

/// Of a parcel: what is neither moved nor destroyed with the list of them, and so can be poisoned while it is free.
template <class Parcel, class Change>
void change_fields(Parcel& parcel, Change change) {
  const auto* const first = reinterpret_cast<const std::byte*>(&parcel.link);
  change(first, static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&parcel.has_come) - first));
}

}  // namespace

Transport::Transport(const Network& network, const WorldModel& model, std::uint64_t seed, World& world)
    : network_(network), model_(model), seed_(seed), world_(world) {
  if (model_.tcp) tcp_.emplace(network_, *model_.tcp);
  if (!network_.is_flat()) accounts_.emplace(network_);
  if (model_.in_order && model_.sharing != Sharing::fifo) order_ = LinkOrder(network_.links());
  if (!model_.faults.empty() || network_.has_losses()) sent_in_round_.resize(network_.links());
  if (model_.sharing == Sharing::fifo) {
    walk_.emplace(network_, model_);
    if (network_.has_losses())
      walk_->lose_if([this](const Traveler& way, ResourceId at, Passage leaves) {
        return is_lost_on(parcels_[way.number], at, leaves);
      });
    if (accounts_) walk_->account_in(*accounts_);
    if (network_.has_queues()) queues_.emplace(network_);
    if (network_.has_queues()) rooms_.emplace(network_);
  } else if (model_.sharing == Sharing::fair) {
    fair_.emplace(network_);
  }
}

Transport::Slot Transport::new_parcel() {
  if (free_.empty()) {  // so that none is poisoned where they move
    parcels_.emplace_back();
    return static_cast<Slot>(parcels_.size() - 1);
  }
  const Slot slot = free_.back();
  free_.pop_back();
  change_fields(parcels_[slot], unpoison);
  return slot;
}

void Transport::release(Slot slot) {
  Parcel& parcel = parcels_[slot];  // what send() and transmit() do not write is again as in a new one
  parcel.message.body = Payload();
  parcel.ordinal = parcel.attempt = 0;
  parcel.lost = Cause::none;
  parcel.is_copy = false;
  parcel.others.clear();
  parcel.has_come.reset();
  free_.push_back(slot);
  change_fields(parcel, poison);
}

// Setting out

std::uint32_t Transport::next_ordinal(LinkId link, Round round) {
  auto& [latest, gone] = sent_in_round_[link];
  auto place = std::ranges::find(latest, round, &Count::round);
  if (place == latest.end()) {
    place = std::ranges::min_element(latest, {}, &Count::round);
    gone = {std::max(gone.round, place->round), std::max(gone.messages, place->messages)};
    *place = {round, round <= gone.round ? gone.messages : 0};
  }
  return place->messages++;
}

Transport::Slot Transport::new_parcel(LinkId link, Message&& message, Bytes bytes) {
  const Slot slot = new_parcel();
  Parcel& parcel = parcels_[slot];
  parcel.link = link;
  parcel.to = network_.link(link).to;
  parcel.payload = bytes;
  parcel.bytes = tcp_ ? tcp_->wire(bytes) : bytes;
  if (!sent_in_round_.empty()) parcel.ordinal = next_ordinal(link, message.round);
  parcel.message = std::move(message);
  return slot;
}

void Transport::send(LinkId link, Message&& message, Bytes bytes) {
  transmit(new_parcel(link, std::move(message), bytes), Cause::none);
}

void Transport::broadcast(std::span<const LinkId> links, Message&& message, Bytes bytes) {
  const Underlay::Medium* const medium = walk_ ? network_.medium_of_agent(message.from) : nullptr;
  const auto hears = [&](LinkId link) {
    return medium && medium->broadcasts_once &&
           std::ranges::find(medium->agents, network_.link(link).to) != medium->agents.end();
  };
  bool is_sent = false;
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (!hears(links[k])) {
      send(links[k], Message(message), bytes);
    } else if (!is_sent) {
      std::vector<LinkId> group;
      std::ranges::copy_if(links.subspan(k), std::back_inserter(group), hears);
      send_once(*medium, group, message, bytes);
      is_sent = true;
    }
  }
}

/// One transmission in a medium, at the lowest of their rates, from which each receiver gets its own message.
void Transport::send_once(const Underlay::Medium& medium, const std::vector<LinkId>& links, const Message& message,
                          Bytes bytes) {
  double rate = std::numeric_limits<double>::infinity();
  for (const LinkId link : links) rate = std::min(rate, network_.radio_bytes_per_s(medium, link));
  std::vector<std::pair<Slot, Fate>> all;
  for (const LinkId link : links) {
    const Slot slot = new_parcel(link, Message(message), bytes);
    all.emplace_back(slot, set_out(slot, Cause::none));
    set_way(slot, all.back().second, rate);
  }
  const Slot first = all.front().first;
  for (std::size_t k = 1; k < all.size(); ++k) parcels_[first].others.push_back(all[k].first);
  together_ += std::ssize(all) - 1;
  depart(first);
  for (const auto& [slot, fate] : all)
    if (fate.twice) send_copy(slot);
}

/// Says so, and what will become of it.
Fate Transport::set_out(Slot slot, Cause why) {
  parcels_[slot].set_out = world_.transport_now();
  parcels_[slot].queued_there = Duration();
  parcels_[slot].serial = world_.next_serial();
  world_.note_transmission(occurrence(parcels_[slot], EventKind::sent, why));
  const Fate fate = judge(parcels_[slot]);
  parcels_[slot].lost = fate.lost;
  return fate;
}

void Transport::transmit(Slot slot, Cause why) {
  const Fate fate = set_out(slot, why);
  queue_up(slot, fate);
  if (fate.twice && why == Cause::none) send_copy(slot);
}

void Transport::send_copy(Slot slot) {
  parcels_[slot].has_come = std::make_shared<bool>(false);
  const Slot second = new_parcel();
  Parcel& copy = parcels_[second];
  copy = parcels_[slot];
  copy.others.clear();
  copy.is_copy = true;
  copy.ordinal = next_ordinal(copy.link, copy.message.round);
  transmit(second, Cause::duplication);
}

Transmission Transport::transmission(const Parcel& parcel) const {
  return {.seed = seed_,
          .link = parcel.link,
          .from = parcel.message.from,
          .to = parcel.to,
          .round = parcel.message.round,
          .ordinal = parcel.ordinal,
          .attempt = parcel.attempt,
          .bytes = parcel.bytes,
          .at = parcel.set_out};
}

/// Whether a link loses a message that leaves it so: by one draw for each link and transmission, for when its first bit
/// does, or because the link is off for its first or its last one.
bool Transport::is_lost_on(Parcel& parcel, ResourceId link, Passage leaves) const {
  const LinkLoss* const loss = network_.loss(link);
  if (!loss) return false;
  if (loss->is_off(leaves.first) || loss->is_off(leaves.last)) {
    if (parcel.lost == Cause::none) parcel.lost = Cause::link_down;
    return true;
  }
  constexpr Purpose purpose{"link loss"};
  Transmission what = transmission(parcel);
  what.seed = Draws(seed_, purpose, link).bits();  // of this link
  if (!what.draws(purpose).bernoulli(loss->at(leaves.first))) return false;
  if (parcel.lost == Cause::none) parcel.lost = Cause::loss;
  return true;
}

/// How many places of its path a message uses that waits for no other: all, unless a link loses it. When its last bit
/// passes is known here only if others do not slow it down.
std::uint32_t Transport::places_used(Parcel& parcel, const TcpConnections::Departure& departs) const {
  const auto all = static_cast<std::uint32_t>(network_.path_length(parcel.way.path));
  if (!network_.has_losses()) return all;
  Time first = departs.at;  // its first bit there
  for (std::uint32_t place = 0; place < all; ++place) {
    const ResourceId id = network_.on_path(parcel.message.from, parcel.way.path, place);
    Passage leaves{first, first};
    if (model_.sharing == Sharing::none && network_.loss(id)) {
      const double bytes_per_s = network_.path_at(parcel.link, parcel.way.path, departs.at, place + 1).bytes_per_s;
      leaves.last = saturated(first, departs.stall + Network::transmission_time(parcel.bytes, bytes_per_s));
    }
    if (is_lost_on(parcel, id, leaves)) return place + 1;
    if (network_.is_link(id)) first = saturated(first, network_.latency(id, departs.at));
  }
  return all;
}

/// Under fair the last bit leaves all of the path at once.
void Transport::lose_at_end(Parcel& parcel, Time now) const {
  const std::uint32_t places = parcel.places;
  for (std::uint32_t place = 0; place < places && parcel.lost == Cause::none; ++place) {
    const LinkLoss* const loss = network_.loss(network_.on_path(parcel.message.from, parcel.way.path, place));
    if (!loss || !loss->is_off(now)) continue;
    parcel.lost = Cause::link_down;
    parcel.places = place + 1;
  }
}

Fate Transport::judge(const Parcel& parcel) const {
  Fate fate;
  if (!world_.is_active(parcel.link, parcel.message.round)) fate.lost = Cause::link_down;
  if (model_.faults.empty()) return fate;
  const Transmission what = transmission(parcel);
  for (const auto& rule : model_.faults) rule->judge(what, fate);
  return fate;
}

void Transport::go_later(Slot slot, Time at, Next next) {
  parcels_[slot].next = next;
  world_.call_transport_at(at, slot);
}

// On the way

void Transport::queue_up(Slot slot, Fate fate) {
  Parcel& parcel = parcels_[slot];
  const Time now = world_.transport_now();
  if (model_.sharing == Sharing::fifo) {
    set_way(slot, fate, 0);
    if (!rooms_ || !rooms_->is_limited(parcel.message.from, parcel.link)) return depart(slot);
    rooms_->wait(parcel.link, slot);
    return leave_outboxes();
  }
  TcpConnections::Departure departure{.at = now, .stall = {}};
  if (tcp_) departure = tcp_->depart(parcel.link, parcel.payload, now);
  parcel.way.path = network_.path(parcel.link, departure.at);
  parcel.places = places_used(parcel, departure);
  if (leads_nowhere(parcel.way.path)) {
    if (parcel.lost == Cause::none) parcel.lost = Cause::link_down;
    return go_later(slot, departure.at, Next::arrive);
  }
  if (parcel.places < network_.path_length(parcel.way.path)) fate.delay = fate.held_back = departure.stall = Duration();
  const auto [latency, bytes_per_s] = network_.path_at(parcel.link, parcel.way.path, departure.at, parcel.places);
  const Duration ahead = latency + departure.stall + fate.delay;
  const Duration transmission = Network::transmission_time(parcel.bytes, bytes_per_s);
  const bool is_alone = model_.sharing == Sharing::none;
  parcel.alone = departure.at - now + ahead + fate.held_back;
  if (is_alone || !network_.has_schedules()) parcel.alone += transmission;  // else see end_transfers()
  Time next = saturated(departure.at, is_alone ? ahead + transmission : ahead);
  if (is_in_order(parcel)) next = order_.come(parcel.link, next);
  go_later(slot, saturated(next, fate.held_back), is_alone ? Next::arrive : Next::start_transfer);
}

void Transport::start_transfer(Slot slot) {
  const Parcel& parcel = parcels_[slot];
  const Time now = world_.transport_now();
  fair_->start(now, {.number = slot,
                     .from = parcel.message.from,
                     .link = parcel.link,
                     .path = parcel.way.path,
                     .places = parcel.places,
                     .bytes = parcel.bytes,
                     .in_order = is_in_order(parcel)});
  // Rates are worked out once for all that starts at this instant.
  if (!will_look_) world_.call_transport_at(now, transfers);
  will_look_ = true;
}

void Transport::end_transfers() {
  const Time now = world_.transport_now();
  will_look_ = false;
  if (next_end_ && *next_end_ <= now) next_end_.reset();
  arriving_.clear();
  for (const auto& [slot, held_up] : fair_->finish(now)) {
    Parcel& parcel = parcels_[slot];
    if (network_.has_schedules())
      parcel.alone = network_.through_alone(parcel.link, parcel.way.path, parcel.places,
                                            saturated(parcel.set_out, parcel.alone), parcel.bytes, now) -
                     parcel.set_out;
    // What it waited for others is shared as the time is in which each interface held it up.
    const double queued_ns = static_cast<double>((now - parcel.set_out - parcel.alone).ns());
    parcel.queued_there = Duration::nanoseconds(std::llround(std::max(0.0, queued_ns) * held_up));
    if (network_.has_losses()) lose_at_end(parcel, now);
    fair_->hand_over(slot, parcel.link, arriving_);
  }
  const auto place_among_ties = [this](Slot slot) { return std::pair(sender(slot), serial(slot)); };
  std::ranges::sort(arriving_, {}, place_among_ties);
  for (const Slot slot : arriving_) arrive(slot);
  if (fair_->is_idle()) return;
  const Time next = fair_->next(now);
  if (next_end_ && next >= *next_end_) return;
  next_end_ = next;
  world_.call_transport_at(next, transfers);
}

// The end

void Transport::proceed(std::uint32_t token) {
  if (token == transfers) return end_transfers();
  if (is_beginning(token)) return begin_next(token - beginning);
  switch (parcels_[token].next) {
    case Next::set_out:
      if (parcels_[token].has_come && *parcels_[token].has_come) return release(token);
      return transmit(token, Cause::retransmission);
    case Next::enter:
      return enter(token);
    case Next::start_transfer:
      return start_transfer(token);
    case Next::arrive:
      return arrive(token);
  }
}

void Transport::arrive(Slot slot) {
  const Parcel& parcel = parcels_[slot];
  const Time now = world_.transport_now();
  if (accounts_ && !walk_) account_passage(parcel);
  Cause why = parcel.lost;
  if (why == Cause::none && !model_.faults.empty()) {
    const Transmission what = transmission(parcel);
    for (const auto& rule : model_.faults)
      if (why == Cause::none) why = rule->at_arrival(what, now);
  }
  if (why == Cause::none && model_.availability && !model_.availability->up(parcel.to, now)) why = Cause::receiver_down;
  if (why != Cause::none) return lose(slot, why);
  world_.note_transmission(occurrence(parcel, EventKind::delivered, Cause::none));
  const LinkId link = parcel.link;
  Message message = std::move(parcels_[slot].message);
  if (parcel.has_come) message.copy = std::exchange(*parcel.has_come, true);
  release(slot);
  world_.hand_over(link, std::move(message));
}

void Transport::lose(Slot slot, Cause why) {
  if (rooms_) give_back_rooms(parcels_[slot]);
  Parcel& parcel = parcels_[slot];
  world_.note_transmission(occurrence(parcel, EventKind::lost, why));
  const bool again = model_.repair.timeout && parcel.attempt < model_.repair.retries && !parcel.is_copy;
  if (!again) return release(slot);
  Time at = saturated(parcel.set_out, model_.repair.timeout_of(parcel.attempt));
  at = std::max(at, world_.transport_now());
  if (model_.availability && at != Time::never()) at = model_.availability->next_up(parcel.message.from, at);
  if (at == Time::never()) return release(slot);
  ++parcel.attempt;
  go_later(slot, at, Next::set_out);
}

SimEvent Transport::occurrence(const Parcel& parcel, EventKind what, Cause why) const {
  const bool arrives = what == EventKind::delivered;
  const Duration on_the_way = world_.transport_now() - parcel.set_out;
  const Duration queued = std::max(Duration(), arrives ? on_the_way - parcel.alone : Duration());
  return {.at = world_.transport_now(),
          .what = what,
          .cause = why,
          .agent = arrives ? parcel.to : parcel.message.from,
          .peer = arrives ? parcel.message.from : parcel.to,
          .link = parcel.link,
          .round = parcel.message.round,
          .amount = parcel.bytes,
          .duration = on_the_way,
          .queued = queued,
          .queued_there = std::min(queued, parcel.queued_there),
          .serial = parcel.serial};
}

}  // namespace lagnet
