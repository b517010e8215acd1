#include "sim/transport/max_min_rates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// A level that moves less is the same level but for rounding, which must not travel on.
constexpr double same_level = 1e-12;

// A level is what n slower flows leave of a capacity: rounding of their rates moves it by about n times as much.
constexpr double same_level_per_flow = 4 * std::numeric_limits<double>::epsilon();

bool differ(double a, double b, double same) { return a != b && !(std::abs(a - b) <= same * std::min(a, b)); }

}  // namespace

MaxMinRates::MaxMinRates(const std::vector<double>& capacities, std::size_t longest_path)
    : longest_path_(longest_path), resources_(capacities.size()) {
  for (std::size_t r = 0; r < capacities.size(); ++r) resources_[r].capacity = resources_[r].level = capacities[r];
}

void MaxMinRates::add(FlowId flow, std::span<const ResourceId> path_of_flow, std::span<const double> uses) {
  LAGNET_CHECK(!path_of_flow.empty() && path_of_flow.size() <= longest_path_, "flow {} over {} resources", flow,
               path_of_flow.size());
  if (flow >= flows_.size()) {
    flows_.resize(flow + 1);
    members_.resize(longest_path_ * flows_.size());
  }
  if (!uses.empty() || !uses_.empty()) uses_.resize(members_.size(), 1);
  LAGNET_CHECK(flows_[flow].resources == 0, "flow {} is there already", flow);
  flows_[flow].resources = static_cast<std::uint32_t>(path_of_flow.size());
  ++live_;
  for (std::size_t k = 0; k < path_of_flow.size(); ++k) {
    LAGNET_CHECK(path_of_flow[k] < resources_.size(), "flow {} over resource {} of {}", flow, path_of_flow[k],
                 resources_.size());
    LAGNET_CHECK(std::ranges::count(path_of_flow, path_of_flow[k]) == 1, "flow {} twice over resource {}", flow,
                 path_of_flow[k]);
    const MemberId id = member_id(flow, k);
    member(id) = Member{.resource = path_of_flow[k]};
    if (!uses_.empty()) uses_[id] = uses.empty() ? 1 : uses[k];
    Resource& at = resources_[path_of_flow[k]];
    if (++at.flows == 1) {
      at.sole = id;
      at.level = at.capacity / use(id);
    }
    if (at.flows != 2) continue;
    enter(at.sole);
    link(static_cast<FlowId>(at.sole / longest_path_));
  }
  for (std::size_t k = 0; k < path_of_flow.size(); ++k)
    if (resources_[path_of_flow[k]].shared()) enter(member_id(flow, k));
  link(flow);
  mark_moved(flow);
}

void MaxMinRates::remove(FlowId flow) {
  LAGNET_CHECK(flow < flows_.size() && flows_[flow].resources > 0, "no flow {}", flow);
  left_alone_.clear();
  for (std::size_t k = 0; k < flows_[flow].resources; ++k) {
    const MemberId id = member_id(flow, k);
    Resource& at = resources_[member(id).resource];
    if (at.shared()) leave(id);
    if (--at.flows == 0) at.level = at.capacity;
    if (at.flows != 1) continue;
    at.sole = at.own.empty() ? at.foreign.top().id : at.own.top().id;
    leave(at.sole);
    left_alone_.push_back(static_cast<FlowId>(at.sole / longest_path_));
  }
  const std::size_t length = flows_[flow].resources;
  for (std::size_t k = 0; k < length; ++k) {
    const Member& gone = member(flow, k);
    if (!gone.linked) continue;
    std::vector<MemberId>& linked = resources_[gone.resource].linked;
    member(linked.back()).link = gone.link;
    linked[gone.link] = linked.back();
    linked.pop_back();
  }
  flows_[flow].resources = 0;
  --live_;
  for (const FlowId alone : left_alone_) link(alone);
}

void MaxMinRates::set_capacity(ResourceId resource, double capacity) {
  Resource& at = resources_[resource];
  if (capacity == at.capacity) return;
  at.capacity = capacity;
  if (at.flows == 0)
    at.level = capacity;
  else
    wait(resource);
}

double MaxMinRates::ceiling(FlowId flow, std::size_t at) const {
  double lowest = unlimited;
  for (std::size_t k = 0; k < flows_[flow].resources; ++k)
    if (k != at) lowest = std::min(lowest, level(member(flow, k).resource));
  return lowest;
}

bool MaxMinRates::other_shared(FlowId flow, std::size_t at) const {
  for (std::size_t k = 0; k < flows_[flow].resources; ++k)
    if (k != at && resources_[member(flow, k).resource].shared()) return true;
  return false;
}

/// Brings the lists of linked members up to date with which resources of the flow are shared.
void MaxMinRates::link(FlowId flow) {
  for (std::size_t k = 0; k < flows_[flow].resources; ++k) {
    Member& here = member(member_id(flow, k));
    std::vector<MemberId>& linked = resources_[here.resource].linked;
    const bool wanted = other_shared(flow, k);
    if (wanted == here.linked) continue;
    here.linked = wanted;
    if (wanted) {
      here.link = static_cast<std::uint32_t>(linked.size());
      linked.push_back(member_id(flow, k));
    } else {
      member(linked.back()).link = here.link;
      linked[here.link] = linked.back();
      linked.pop_back();
    }
  }
}

/// A member joins a shared resource.
void MaxMinRates::enter(MemberId id) {
  Member& here = member(id);
  Resource& at = resources_[here.resource];
  const auto flow = static_cast<FlowId>(id / longest_path_);
  here.ceiling = ceiling(flow, id % longest_path_);
  here.own = here.ceiling >= at.level;
  if (here.own) {
    at.own.push(here.ceiling, id, place());
    count_own(at, id, 1);
  } else {
    at.foreign.push(here.ceiling, id, place());
    count_foreign(at, id, 1);
  }
  mark_moved(flow);
  wait(here.resource);
}

/// A member leaves a shared resource, or is the last one there.
void MaxMinRates::leave(MemberId id) {
  Member& here = member(id);
  Resource& at = resources_[here.resource];
  if (here.own) {
    at.own.erase(here.place, place());
    count_own(at, id, -1);
  } else {
    at.foreign.erase(here.place, place());
    count_foreign(at, id, -1);
  }
  here.own = false;
  mark_moved(static_cast<FlowId>(id / longest_path_));
  wait(here.resource);
}

void MaxMinRates::make_own(Resource& at, MemberId id) {
  Member& here = member(id);
  at.foreign.erase(here.place, place());
  count_foreign(at, id, -1);
  at.own.push(here.ceiling, id, place());
  count_own(at, id, 1);
  here.own = true;
  mark_moved(static_cast<FlowId>(id / longest_path_));
}

void MaxMinRates::make_foreign(Resource& at, MemberId id) {
  Member& here = member(id);
  at.own.erase(here.place, place());
  count_own(at, id, -1);
  at.foreign.push(here.ceiling, id, place());
  count_foreign(at, id, 1);
  here.own = false;
  mark_moved(static_cast<FlowId>(id / longest_path_));
}

void MaxMinRates::Sum::add(double more) {
  const double sum = total + more;
  rest += std::abs(total) >= std::abs(more) ? (total - sum) + more : (more - sum) + total;
  total = sum;
}

/// One more or, with sign -1, one less, which the heap knows already; likewise below.
void MaxMinRates::count_own(Resource& at, MemberId id, double sign) {
  if (at.own.empty())
    at.own_use = {};
  else
    at.own_use.add(sign * use(id));
}

void MaxMinRates::count_foreign(Resource& at, MemberId id, double sign) {
  if (at.foreign.empty())
    at.taken = {};
  else
    at.taken.add(sign * use(id) * member(id).ceiling);
}

/// The level of a resource. For any set S of its members, x(S) = (C - sum of k ceiling outside S) / (sum of k in S) is
/// at most the level, with equality for the members whose ceiling is at least the level. So x rises with each member
/// that changes to its right side, and the members that are wrongly foreign come first: none becomes so by the second
/// loop. Among more than a thousand flows a ceiling may be as far below the level as rounding can put one that is
/// equal: else two resources that share thousands of flows could take turns without end, each by the other's rounding.
double MaxMinRates::turn(Resource& at) {
  if (!at.shared()) return at.capacity / use(at.sole);
  const auto has_spare = [&at](double taken) { return taken < at.capacity * (1 - same_level); };
  const auto water = [&at] { return (at.capacity - at.taken.value()) / at.own_use.value(); };
  if (at.own.empty()) {
    if (has_spare(at.taken.value())) return unlimited;
    make_own(at, at.foreign.top().id);
  }
  const double tie = 1 - (same_ > same_level ? same_ : 0);
  while (!at.foreign.empty() && at.foreign.top().key >= water() * tie) make_own(at, at.foreign.top().id);
  while (at.own.top().key < water() * tie) {
    const bool last = at.own.size() == 1;
    if (last && !has_spare(at.taken.value() + use(at.own.top().id) * at.own.top().key)) break;
    make_foreign(at, at.own.top().id);
    if (last) return unlimited;
  }
  return water();
}

/// Takes a resource's new level to where its flows also pass.
void MaxMinRates::tell(Resource& at) {
  for (const MemberId id : at.linked) {
    const auto flow = static_cast<FlowId>(id / longest_path_);
    for (std::size_t k = 0; k < flows_[flow].resources; ++k)
      if (k != id % longest_path_ && resources_[member(flow, k).resource].shared())
        new_ceiling(member_id(flow, k), ceiling(flow, k));
  }
}

void MaxMinRates::new_ceiling(MemberId id, double value) {
  Member& here = member(id);
  if (value == here.ceiling) return;
  Resource& at = resources_[here.resource];
  if (here.own) {
    here.ceiling = value;
    at.own.change_key(here.place, value, place());
    if (value >= at.level) return;  // its rate here is the level, as before
  } else if (value >= at.level) {
    make_own(at, id);  // before the new ceiling: an unlimited one must never be in the sum
    here.ceiling = value;
    at.own.change_key(here.place, value, place());
  } else {
    at.foreign.change_key(here.place, value, place());
    count_foreign(at, id, -1);
    here.ceiling = value;
    count_foreign(at, id, 1);
  }
  wait(here.resource);
}

void MaxMinRates::settle() {
  for (const ResourceId r : changed_) resources_[r].changed = false;
  changed_.clear();
  // A resource has a few turns; many for each value that levels can have would mean that rounding keeps them going.
  const std::size_t most = 100 + 4 * resources_.size() * (resources_.size() + 1);
  same_ = std::max(same_level, same_level_per_flow * static_cast<double>(live_));
  for (std::size_t turns = 0; !waiting_.empty(); ++turns) {
    LAGNET_CHECK(turns < most, "the levels of {} resources do not settle", resources_.size());
    const ResourceId r = waiting_.top().id;
    waiting_.erase(0, waiting_place());
    Resource& at = resources_[r];
    at.waits = false;
    if (at.flows == 0) continue;
    const double level = turn(at);
    if (!differ(level, at.level, same_)) continue;
    LAGNET_CHECK(level > 0, "resource {} has level {}", r, level);
    at.level = level;
    // Shared ones mark the flows that change sides.
    if (!at.shared()) mark_moved(static_cast<FlowId>(at.sole / longest_path_));
    if (!at.changed) changed_.push_back(r);
    at.changed = true;
    tell(at);
  }
  for (const FlowId flow : moved_now_) flows_[flow].moved = false;
  std::erase_if(moved_now_, [this](FlowId flow) { return flows_[flow].resources == 0; });
  moved_.swap(moved_now_);
  moved_now_.clear();
}

ResourceId MaxMinRates::bottleneck(FlowId flow) const {
  // If it is among the own flows, its level is the lowest. The levels alone could differ by rounding; then nothing
  // would signal when the two resources diverge.
  const Member* lowest = nullptr;
  const auto key = [this](const Member& at) { return std::pair(!at.own, level(at.resource)); };
  for (std::size_t k = 0; k < flows_[flow].resources; ++k) {
    const Member& here = member(flow, k);
    if (lowest == nullptr || key(here) < key(*lowest)) lowest = &here;
  }
  LAGNET_CHECK(lowest != nullptr, "no flow {}", flow);
  return lowest->resource;
}

void MaxMinRates::wait(ResourceId resource) {
  if (resources_[resource].waits) return;
  resources_[resource].waits = true;
  waiting_.push(resources_[resource].level, resource, waiting_place());
}

void MaxMinRates::mark_moved(FlowId flow) {
  if (flows_[flow].moved) return;
  flows_[flow].moved = true;
  moved_now_.push_back(flow);
}

}  // namespace lagnet
