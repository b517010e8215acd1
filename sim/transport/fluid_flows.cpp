#include "sim/transport/fluid_flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "sim/base/diagnostic.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<double> checked(std::vector<double> capacities) {
  std::vector<Diagnostic> faults;
  for (std::size_t r = 0; r < capacities.size(); ++r)
    if (!(capacities[r] > 0))
      faults.push_back(
          {fmt::format("resource {}", r), "a capacity above 0 bytes per second", fmt::format("{}", capacities[r])});
  if (!faults.empty()) throw Diagnosed(std::move(faults));
  return capacities;
}

}  // namespace

FluidFlows::FluidFlows(std::vector<double> capacity_bytes_per_s, std::size_t longest_path)
    : longest_path_(longest_path),
      levels_(checked(capacity_bytes_per_s), longest_path),
      groups_(capacity_bytes_per_s.size()) {
  for (const double capacity : capacity_bytes_per_s) binds_.push_back(capacity < infinite);
}

FlowId FluidFlows::new_flow() {
  FlowId id = static_cast<FlowId>(flows_.size());
  if (free_.empty()) {
    flows_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  flows_[id] = Flow{.order = started_++, .live = true};
  ++live_;
  return id;
}

FlowId FluidFlows::start(Time now, std::span<const ResourceId> path, Bytes size, ResourceId watched,
                         std::span<const double> uses) {
  LAGNET_CHECK(size >= 0 && path.size() <= longest_path_, "a flow of {} bytes over {} resources", size, path.size());
  advance(now);
  binding_.clear();
  binding_uses_.clear();
  for (std::size_t k = 0; k < path.size(); ++k) {
    LAGNET_CHECK(path[k] < binds_.size(), "a flow over resource {} of {}", path[k], binds_.size());
    if (!binds_[path[k]]) continue;
    binding_.push_back(path[k]);
    if (!uses.empty()) binding_uses_.push_back(uses[k]);
  }
  const FlowId flow = new_flow();
  flows_[flow].remaining_bytes = static_cast<double>(size);
  flows_[flow].watched = watched;
  flows_[flow].started = now;
  if (!binding_.empty() && size > 0) {
    levels_.add(flow, binding_, binding_uses_);
  } else {
    flows_[flow].complete = true;
    complete_.push_back(flow);
  }
  return flow;
}

void FluidFlows::set_capacity(Time now, ResourceId resource, double bytes_per_s) {
  LAGNET_CHECK(resource < binds_.size() && binds_[resource], "resource {} of {} does not bind", resource,
               binds_.size());
  constexpr double standing = 1e-300;  // levels are above 0
  advance(now);
  levels_.set_capacity(resource, std::max(bytes_per_s, standing));
}

Time FluidFlows::next() const {
  settle();
  if (!complete_.empty()) return clock_;
  return due_.empty() ? Time::never() : Time::nanoseconds(due_.top().key);
}

std::span<const FlowId> FluidFlows::finish(Time now) {
  free_.insert(free_.end(), finished_.begin(), finished_.end());
  advance(now);
  collect();
  if (complete_.empty()) {
    settle();
    collect();
  }
  finished_.swap(complete_);
  complete_.clear();
  std::ranges::sort(finished_, {}, [this](FlowId flow) { return flows_[flow].order; });
  for (const FlowId flow : finished_) flows_[flow].live = false;
  live_ -= finished_.size();
  return finished_;
}

double FluidFlows::rate(FlowId flow) const {
  LAGNET_CHECK(flow < flows_.size() && flows_[flow].live, "no flow {}", flow);
  settle();
  return flows_[flow].complete ? infinite : groups_[flows_[flow].bottleneck].speed_bytes_per_s;
}

double FluidFlows::held_up(FlowId flow) const {
  const Flow& ended = flows_[flow];
  const Duration all = clock_ - ended.started;
  return all == Duration() ? 0 : ended.held.in_seconds() / all.in_seconds();
}

void FluidFlows::advance(Time now) {
  LAGNET_CHECK(now >= clock_, "{} ns is before {} ns", now.ns(), clock_.ns());
  if (now == clock_) return;
  LAGNET_CHECK(now <= next(), "at {} ns, but a flow ended at {} ns", now.ns(), next().ns());
  clock_ = now;
}

/// Takes out the flows that have ended by the rates up to now, which changes at this instant must not prolong.
void FluidFlows::collect() const {
  while (!due_.empty() && due_.top().key <= clock_.ns()) {
    const ResourceId r = due_.top().id;
    const FlowId flow = groups_[r].ends.top().id;
    leave_group(flow);
    renew_due(r);
    levels_.remove(flow);
    flows_[flow].complete = true;
    complete_.push_back(flow);
  }
}

void FluidFlows::settle() const {
  if (levels_.settled()) return;
  collect();
  levels_.settle();
  for (const ResourceId r : levels_.changed()) {
    Group& group = groups_[r];
    if (group.ends.empty()) continue;
    group.count_bytes = count_now(group);
    group.counted = clock_;
    group.speed_bytes_per_s = levels_.level(r);
    touch(r);
  }
  for (const FlowId flow : levels_.moved()) {
    const ResourceId to = levels_.bottleneck(flow), from = flows_[flow].bottleneck;
    if (to == from) continue;
    if (from != no_resource) {
      flows_[flow].remaining_bytes = flows_[flow].end_bytes - count_now(groups_[from]);
      leave_group(flow);
      touch(from);
    }
    join_group(flow, to);
    touch(to);
  }
  for (const ResourceId r : touched_) {
    groups_[r].touched = false;
    renew_due(r);
  }
  touched_.clear();
}

double FluidFlows::count_now(const Group& group) const {
  // At the instant itself the speed may be the infinite one of a group that its flows are about to leave.
  if (group.counted == clock_) return group.count_bytes;
  return group.count_bytes + group.speed_bytes_per_s * (clock_ - group.counted).in_seconds();
}

void FluidFlows::leave_group(FlowId flow) const {
  Flow& leaving = flows_[flow];
  groups_[leaving.bottleneck].ends.erase(leaving.place, flow_place());
  if (leaving.bottleneck == leaving.watched) leaving.held += clock_ - leaving.joined;
  leaving.bottleneck = no_resource;
}

void FluidFlows::join_group(FlowId flow, ResourceId resource) const {
  Group& group = groups_[resource];
  if (group.ends.empty()) {
    group.speed_bytes_per_s = levels_.level(resource);
    group.count_bytes = 0;  // small counts are precise ones
    group.counted = clock_;
  }
  flows_[flow].bottleneck = resource;
  flows_[flow].joined = clock_;
  flows_[flow].end_bytes = count_now(group) + flows_[flow].remaining_bytes;
  group.ends.push(flows_[flow].end_bytes, flow, flow_place());
}

void FluidFlows::touch(ResourceId resource) const {
  if (groups_[resource].touched) return;
  groups_[resource].touched = true;
  touched_.push_back(resource);
}

/// Computes when the next flow of a group ends.
void FluidFlows::renew_due(ResourceId resource) const {
  Group& group = groups_[resource];
  const auto place = [this](ResourceId r) -> std::uint32_t& { return groups_[r].place; };
  if (group.ends.empty()) {
    if (group.is_due) due_.erase(group.place, place);
    group.is_due = false;
    return;
  }
  const double wait_ns = (group.ends.top().key - group.count_bytes) / group.speed_bytes_per_s * 1e9;
  constexpr std::int64_t never = Time::never().ns();
  const double room_ns = static_cast<double>(never - group.counted.ns());
  const std::int64_t at = wait_ns < room_ns ? group.counted.ns() + std::llround(wait_ns) : never;
  if (group.is_due)
    due_.change_key(group.place, at, place);
  else
    due_.push(at, resource, place);
  group.is_due = true;
}

}  // namespace lagnet
