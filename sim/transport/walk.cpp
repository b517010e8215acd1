#include "sim/transport/walk.hpp"

#include <algorithm>
#include <limits>

namespace lagnet {

namespace {

/// Of each resource, whether it matters for any message when its first bit leaves: where bits can wait again behind it,
/// latencies or losses depend on it, or others go on by themselves behind a medium.
std::vector<char> those_where_first_matters(const Network& network, const std::vector<Resource>& resources) {
  const bool always = network.has_schedules() || network.has_losses() || network.has_media();
  std::vector<char> found(resources.size(), always);
  for (LinkId path = 0; !always && path < network.paths(); ++path) {
    const AgentId from = network.is_flat() ? network.sender(path) : 0;
    bool waits_behind = false;
    for (std::size_t place = network.path_length(path); place-- > 0;) {
      const ResourceId id = network.on_path(from, path, place);
      found[id] |= waits_behind;
      waits_behind |= resources[id].is_limited();
    }
  }
  return found;
}

}  // namespace

Walk::Walk(const Network& network, const WorldModel& model)
    : network_(network),
      is_cut_through_(model.forwarding == Forwarding::cut_through),
      is_constant_(!network.has_schedules() && !network.has_media() && !network.reroutes()),
      has_queues_(network.has_queues()),
      departures_wait_(model.tcp && model.tcp->handshake) {
  resources_.reserve(network.resources());
  for (ResourceId id = 0; id < network.resources(); ++id) resources_.emplace_back(network, id);
  for (LinkId id = 0; network.has_media() && id < network.links(); ++id)
    if (network.passes_medium(id)) resources_[network.over(id)] = Resource(std::numeric_limits<double>::infinity());
  if (is_cut_through_) {
    backlogs_.resize(resources_.size());
    first_matters_ = those_where_first_matters(network, resources_);
  }
  // Otherwise all that a link's messages pass keeps their order.
  const bool can_overtake = network.has_schedules() || network.reroutes() || model.tcp || !model.faults.empty();
  if (model.in_order && can_overtake) latest_.resize(network.links());
}

/// The sender's interface is its own, and the link behind it if nothing lies between them. What may wait is limited by
/// the caller, as messages come.
bool Walk::is_shared(const Traveler& it, ResourceId id) const {
  const bool is_private =
      !departures_wait_ && !has_queue(id) && (it.place == 0 || (it.place == 1 && id == network_.over(it.link)));
  return !is_private && resources_[id].is_limited();
}

/// Bytes, or nanoseconds in a medium.
double Walk::work(const Traveler& it, ResourceId at) const {
  const auto bytes = static_cast<double>(it.bytes);
  if (!network_.is_medium(at)) return bytes;
  const double rate = it.radio_bytes_per_s > 0 ? it.radio_bytes_per_s : network_.rate(at, it.link);
  return static_cast<double>(network_.medium_of(at).overhead.ns()) + bytes / rate * 1e9;
}

void Walk::transmit(Traveler& it, ResourceId id) {
  Resource& here = resources_[id];
  const double amount = work(it, id);
  if (is_last_place(it)) {
    const auto [last, alone] = here.last_leaves(it.came, it.at, amount);
    it.at.last = last;
    it.queued_there = last - alone;
  } else if (!is_cut_through_) {
    it.at.first = it.at.last = here.leaves_whole(it.at.last, amount);
  } else if (first_matters_[id]) {
    // What takes turns as a whole mixes with nothing.
    const Time first =
        has_queue(id) ? std::max(it.at.first, here.free()) : backlogs_[id].first_leaves(here, it.at, amount);
    it.at = {first, here.last_leaves(it.at, amount)};
  } else {
    it.at.first = it.at.last = here.last_leaves(it.at, amount);
  }
}

void Walk::pass(Traveler& it, ResourceId id) {
  const bool is_counted = accounts_ && accounts_->counts(id);
  ResourceAccounts::Visit visit{.bytes = it.bytes};
  if (is_counted) {
    const bool is_whole = !is_cut_through_ && !is_last_place(it);  // before it begins
    visit.came = is_whole ? it.at.last : it.came;
    visit.begins = std::max(is_whole ? it.at.last : it.at.first, resources_[id].free());
  }
  if (resources_[id].is_limited()) transmit(it, id);
  if (network_.is_medium(id)) behind_medium_ = it.at;
  if (is_lost_ && network_.is_link(id) && is_lost_(it, id, it.at)) it.is_lost = it.is_over = true;
  visit.left = it.at.last;
  if (network_.is_link(id)) add_latency(it, id, false);
  it.is_over = it.is_over || id == network_.over(it.link);
  if (is_counted) {
    visit.ends = std::max(visit.begins, resources_[id].free());
    visit.is_lost = it.is_lost && it.is_over;
    accounts_->add(id, visit, now_);
  }
  ++it.place;
}

void Walk::add_latency(Traveler& it, ResourceId after, bool is_alone) {
  const Duration latency = network_.latency(after, it.at.first);
  if (it.is_over || after != network_.over(it.link)) {  // it is over, too, where a link loses it
    it.at = {saturated(it.at.first, latency), saturated(it.at.last, latency)};
    return;
  }
  const Duration ahead = latency + it.delay;
  const Time last = saturated(it.at.last, ahead + it.stall);
  it.at = {is_cut_through_ ? saturated(it.at.first, ahead) : last, last};
  if (!latest_.empty() && !is_alone && !it.is_lost) {
    Passage& before = latest_[it.link];
    it.at = before = {std::max(it.at.first, before.first), std::max(it.at.last, before.last)};
  }
  if (it.held_back > Duration()) it.at = {saturated(it.at.first, it.held_back), saturated(it.at.last, it.held_back)};
}

void Walk::depart(Traveler& it, Time ready) {
  it.place = 0;
  it.path = network_.path(it.link, ready);
  it.is_over = false;
  it.at = {ready, ready};
  it.queued_there = Duration();
  go_on(it);
}

void Walk::enter(Traveler& it) {
  pass(it, resource(it));
  go_on(it);
}

void Walk::follow(Traveler& it) {
  it.place = 0;
  it.path = it.link;
  while (!network_.is_medium(resource(it))) ++it.place;
  ++it.place;
  it.is_over = false;
  it.at = behind_medium_;
  go_on(it);
}

void Walk::go_on(Traveler& it) {
  for (it.came = it.at.first; !has_arrived(it); it.came = it.at.first) {
    const ResourceId id = resource(it);
    if (is_shared(it, id)) return;
    pass(it, id);
  }
}

/// The same steps with nothing else on the way. At constant rates the slowest one holds up the last bit.
Duration Walk::alone(const Traveler& it, Time ready) {
  if (is_cut_through_ && is_constant_ && it.stall == Duration())
    return Network::travel_time(network_.link(it.link), it.bytes) + it.delay + it.held_back;
  Traveler lone = it;
  lone.place = 0;
  lone.path = network_.path(it.link, ready);
  lone.at = {ready, ready};
  for (lone.is_lost = false; !has_arrived(lone); ++lone.place) {
    const ResourceId id = resource(lone);
    if (resources_[id].is_limited()) {
      const Time leaves = resources_[id].leaves(next(lone), work(lone, id));
      lone.at.last = std::max(leaves, lone.at.last);
      if (!is_cut_through_) lone.at.first = lone.at.last;
    }
    if (network_.is_link(id)) add_latency(lone, id, true);
  }
  return lone.at.last - ready;
}

}  // namespace lagnet
