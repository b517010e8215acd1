#include "sim/transport/walk.hpp"

#include <algorithm>

namespace lagnet {

Walk::Walk(const Network& network, const WorldModel& model)
    : network_(network),
      is_cut_through_(model.forwarding == Forwarding::cut_through),
      departures_wait_(model.tcp && model.tcp->handshake) {
  resources_.reserve(network.resources());
  for (ResourceId id = 0; id < network.resources(); ++id)
    resources_.emplace_back(network.rate(id), network.schedule(id));
  if (is_cut_through_) backlogs_.resize(resources_.size());
  // Otherwise all that a link's messages pass keeps their order.
  const bool can_overtake = network.has_schedules() || model.tcp || !model.faults.empty();
  if (model.in_order && can_overtake) latest_.resize(network.links());
}

ResourceId Walk::resource(const Traveler& it) const {
  if (it.place == 0) return network_.up(it.from);
  const auto route = network_.route(it.link);
  if (it.place <= route.size()) return network_.inner(route[it.place - 1]);
  return it.place == route.size() + 1 ? network_.over(it.link) : network_.down(it.to);
}

/// The sender's interface is its own, and the link behind it if nothing lies between them.
bool Walk::is_shared(const Traveler& it) const {
  const std::size_t inner = network_.route(it.link).size();
  const bool is_private = !departures_wait_ && (it.place == 0 || (it.place == 1 && inner == 0));
  return !is_private && resources_[resource(it)].is_limited();
}

void Walk::pass(Traveler& it) {
  const ResourceId id = resource(it);
  Resource& here = resources_[id];
  const std::size_t inner = network_.route(it.link).size();
  if (here.is_limited()) {
    if (it.place == inner + 2) {
      const Time alone = std::max(here.leaves(it.at.first, static_cast<double>(it.bytes)), it.at.last);
      it.at.last = here.last_leaves(it.at, it.bytes);
      it.queued_there = it.at.last - alone;
    } else if (is_cut_through_) {
      const Time first = backlogs_[id].first_leaves(here, it.at, it.bytes);
      it.at = {first, here.last_leaves(it.at, it.bytes)};
    } else {
      it.at.first = it.at.last = here.leaves_whole(it.at.last, it.bytes);
    }
  }
  add_latency(it, id, false);
  ++it.place;
}

void Walk::add_latency(Traveler& it, ResourceId after, bool is_alone) {
  const std::size_t inner = network_.route(it.link).size();
  if (it.place == 0 || it.place > inner + 1) return;
  const auto move = [&it](Duration first, Duration last) {
    it.at = {saturated(it.at.first, first), saturated(it.at.last, last)};
  };
  const Duration latency = network_.latency(after, it.at.first);
  move(latency, latency);
  if (it.place <= inner) return;
  move(it.delay, it.delay + it.stall);
  if (!latest_.empty() && !is_alone && !it.is_lost) {
    Passage& before = latest_[it.link];
    it.at = before = {std::max(it.at.first, before.first), std::max(it.at.last, before.last)};
  }
  move(it.held_back, it.held_back);
}

void Walk::depart(Traveler& it, Time ready) {
  it.place = 0;
  it.at = {ready, ready};
  it.queued_there = Duration();
  go_on(it);
}

void Walk::enter(Traveler& it) {
  pass(it);
  go_on(it);
}

void Walk::go_on(Traveler& it) {
  while (!has_arrived(it) && !is_shared(it)) pass(it);
}

/// The same steps with nothing else on the way.
Duration Walk::alone(const Traveler& it, Time ready) {
  Traveler lone = it;
  lone.place = 0;
  lone.at = {ready, ready};
  for (lone.is_lost = false; !has_arrived(lone); ++lone.place) {
    const ResourceId id = resource(lone);
    if (resources_[id].is_limited()) {
      const Time leaves = resources_[id].leaves(next(lone), static_cast<double>(lone.bytes));
      lone.at.last = std::max(leaves, lone.at.last);
      if (!is_cut_through_) lone.at.first = lone.at.last;
    }
    add_latency(lone, id, true);
  }
  return lone.at.last - ready;
}

}  // namespace lagnet
