#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/transport/transport.hpp"

/// The way of messages under Sharing::fifo: outboxes, queues, and the walk from one place to the next.
namespace lagnet {

/// What it is on its way, and when it departs. `radio`: its rate in a medium, if it is not its own.
void Transport::set_way(Slot slot, const Fate& fate, double radio_bytes_per_s) {
  Parcel& parcel = parcels_[slot];
  const Time now = world_.transport_now();
  TcpConnections::Departure departure{.at = now, .stall = {}};
  if (tcp_) departure = tcp_->depart(parcel.link, parcel.payload, now);
  parcel.ready = departure.at;
  parcel.way = {.number = slot,
                .link = parcel.link,
                .from = parcel.message.from,
                .to = parcel.to,
                .bytes = parcel.bytes,
                .radio_bytes_per_s = radio_bytes_per_s,
                .delay = fate.delay,
                .stall = departure.stall,
                .held_back = fate.held_back,
                .is_lost = parcel.lost != Cause::none};
  parcel.alone = parcel.ready - now + walk_->alone(parcel.way, parcel.ready);
}

void Transport::depart(Slot slot) {
  Parcel& parcel = parcels_[slot];
  if (accounts_) walk_->set_now(world_.transport_now());
  walk_->depart(parcel.way, std::max(parcel.ready, world_.transport_now()));
  if (leads_nowhere(parcel.way.path) && parcel.lost == Cause::none) parcel.lost = Cause::link_down;
  go_on(slot);
}

/// Lets messages set out that have room on all of their paths, those that have waited longest first.
void Transport::leave_outboxes() {
  for (bool some = true; some;) {
    some = false;
    std::vector<Slot> first = rooms_->first();
    std::ranges::sort(first, {},
                      [this](Slot slot) { return std::tuple(parcels_[slot].set_out, sender(slot), serial(slot)); });
    for (const Slot slot : first) {
      const Parcel& parcel = parcels_[slot];
      if (!rooms_->take(parcel.message.from, parcel.link, parcel.bytes)) continue;
      rooms_->leave(parcel.link);
      depart(slot);
      some = true;
    }
  }
}

/// Waits until it enters what others feed as well, or is there.
void Transport::go_on(Slot slot) {
  const Traveler& way = parcels_[slot].way;
  parcels_[slot].queued_there = way.queued_there;
  if (walk_->has_arrived(way)) return go_later(slot, walk_->next(way), Next::arrive);
  go_later(slot, walk_->next(way), Next::enter);
  if (walk_->next(way) == world_.transport_now()) world_.order_calls_of_this_instant();
}

void Transport::enter(Slot slot) {
  const ResourceId at = walk_->resource(parcels_[slot].way);
  const bool waits =
      queues_ && queues_->limit(at) && (!queues_->is_empty(at) || walk_->free(at) > world_.transport_now());
  if (!waits) return begin(slot);
  const bool is_first = queues_->is_empty(at);
  const auto lost = queues_->join(at, {slot, parcels_[slot].bytes});
  for (const Queues::Waiting& one : lost) {
    if (accounts_ && accounts_->counts(at)) account_drop(at, one, one.slot != slot);
    lose(one.slot, Cause::queue_full);
  }
  if (is_first && !queues_->is_empty(at)) world_.call_transport_at(walk_->free(at), beginning + at);
}

void Transport::begin(Slot slot) {
  Traveler& way = parcels_[slot].way;
  if (accounts_) walk_->set_now(world_.transport_now());
  const ResourceId at = walk_->resource(way);
  way.at.first = std::max(way.at.first, queues_ && queues_->limit(at) ? world_.transport_now() : Time());
  walk_->enter(way);
  if (network_.is_medium(at)) part(slot);
  go_on(slot);
  if (!queues_ || !queues_->limit(at)) return;
  rooms_->give_back(at, parcels_[slot].bytes);
  leave_outboxes();
}

/// The others of one transmission go on by themselves behind the medium.
void Transport::part(Slot slot) {
  const std::vector<Slot> others = std::exchange(parcels_[slot].others, {});
  together_ -= std::ssize(others);
  for (const Slot other : others) {
    walk_->follow(parcels_[other].way);
    go_on(other);
  }
}

void Transport::begin_next(ResourceId at) {
  begin(queues_->leave(at).slot);
  if (!queues_->is_empty(at)) world_.call_transport_at(walk_->free(at), beginning + at);
}

/// What a message that is lost has taken and does not need.
void Transport::give_back_rooms(const Parcel& parcel) {
  for (std::size_t place = parcel.way.place; place < network_.path_length(parcel.link); ++place)
    rooms_->give_back(network_.on_path(parcel.way.from, parcel.link, place), parcel.bytes);
  leave_outboxes();
}

}  // namespace lagnet
