#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/base/indexed_heap.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

using FlowId = std::uint32_t;  // given by the caller; small numbers, for they index tables

/// Max-min fair rates of flows, each over a few resources, as flows start and end: no flow's rate can be raised
/// without lowering that of a flow which is no faster (Bertsekas and Gallager, "Data Networks", 1992, section 6.5.2).
///
/// Each resource r has a level x_r, the highest rate it lets a flow have: sum_f k_fr min(x_r, ceiling_f) = C_r, where
/// ceiling_f is the lowest level of the other resources of flow f, and k_fr what a unit of its rate uses of r, 1 unless
/// said otherwise; x_r is infinite when its ceilings together stay below its capacity C_r. The rates are min_r x_r.
/// Levels with this property are max-min fair: a flow at its level x_r uses a full resource, and no other flow there is
/// faster.
///
/// settle() gives turns to the resources whose flows or ceilings changed until none is left. That ends in any order: of
/// the resources that would have turns forever, none would after a while have a level below the m = min C_r / (sum of
/// k_fr of r) of what the others leave them, so the resource of that minimum would get x_r = m and keep it. The
/// levels do not depend on the order, the number of turns does: with the lowest level first it is a fifth of that with
/// first in first out on irregular platforms, since low levels act on higher ones and not the other way.
///
/// Flows of a resource that are slower than its level (foreign) are kept in one heap and the others (own) in another,
/// so that a turn costs O(log n) for each flow that changes sides, plus one step for each flow that must learn the new
/// level. A resource with one flow has level C_r / k_fr for any ceiling, so it need not learn it: a star of clients
/// that each have their own interface costs O(log n) for each flow that comes or goes.
class MaxMinRates {
 public:
  /// Capacities of the resources, above 0, in any one unit; levels have the same. Flows pass finite ones only, each up
  /// to `longest_path`.
  explicit MaxMinRates(const std::vector<double>& capacities, std::size_t longest_path = 3);

  /// A new flow over distinct resources, one or more; its id is not in use. `uses`: its k_fr along the path, above 0;
  /// empty: 1 each.
  void add(FlowId flow, std::span<const ResourceId> path, std::span<const double> uses = {});
  void remove(FlowId flow);
  /// From now on, above 0.
  void set_capacity(ResourceId resource, double capacity);

  /// Computes the levels after all that was added and removed. changed() and moved() then say what differs from the
  /// time before: resources whose level, and flows whose bottleneck, may be another; each once.
  void settle();
  std::span<const ResourceId> changed() const { return changed_; }
  std::span<const FlowId> moved() const { return moved_; }
  bool settled() const { return waiting_.empty() && moved_now_.empty(); }

  double level(ResourceId resource) const { return resources_[resource].level; }
  /// The resource whose level is the rate of the flow.
  ResourceId bottleneck(FlowId flow) const;

 private:
  using MemberId = std::uint32_t;  // longest_path_ * flow + place in its path
  struct Member {                  // a flow at one resource of its path
    ResourceId resource = 0;
    double ceiling = 0;       // lowest level of the other resources of the path; kept while the resource is shared
    std::uint32_t place = 0;  // in the heap of own or foreign members
    std::uint32_t link = 0;   // in the list of linked members
    bool own = false;
    bool linked = false;
  };
  struct Flow {
    std::uint32_t resources = 0;  // the length of its path
    bool moved = false;
  };
  /// With Neumaier's compensation, for terms that come and go without end and can be far greater than the sum.
  struct Sum {
    double total = 0, rest = 0;  // rest: what rounding cut off from the total
    void add(double more);
    double value() const { return total + rest; }
  };
  struct Resource {
    double capacity = 0;
    double level = 0;
    IndexedHeap<double, std::less<>> own;         // by ceiling, all at least the level as of the last turn
    IndexedHeap<double, std::greater<>> foreign;  // by ceiling, all below the level as of the last turn
    Sum own_use;                                  // of their k_fr
    Sum taken;                                    // by the foreign: k_fr times their ceilings
    std::vector<MemberId> linked;  // members whose flow has another shared resource, which must know this level
    MemberId sole = 0;             // the member, when there is one
    std::uint32_t flows = 0;
    std::uint32_t place = 0;  // in waiting_
    bool waits = false;
    bool changed = false;
    bool shared() const { return flows > 1; }
  };

  MemberId member_id(FlowId flow, std::size_t at) const { return static_cast<MemberId>(longest_path_ * flow + at); }
  Member& member(MemberId id) { return members_[id]; }
  const Member& member(FlowId flow, std::size_t at) const { return members_[member_id(flow, at)]; }
  double use(MemberId id) const { return uses_.empty() ? 1 : uses_[id]; }
  auto place() {
    return [this](MemberId id) -> std::uint32_t& { return member(id).place; };
  }
  auto waiting_place() {
    return [this](ResourceId r) -> std::uint32_t& { return resources_[r].place; };
  }
  double ceiling(FlowId flow, std::size_t at) const;
  bool other_shared(FlowId flow, std::size_t at) const;
  void link(FlowId flow);
  void enter(MemberId id);
  void leave(MemberId id);
  void make_own(Resource& at, MemberId id);
  void make_foreign(Resource& at, MemberId id);
  void count_own(Resource& at, MemberId id, double sign);
  void count_foreign(Resource& at, MemberId id, double sign);
  double turn(Resource& at);
  void tell(Resource& at);
  void new_ceiling(MemberId id, double value);
  void wait(ResourceId resource);
  void mark_moved(FlowId flow);

  const std::size_t longest_path_;
  std::vector<Resource> resources_;
  std::vector<Flow> flows_;
  std::vector<Member> members_;
  std::size_t live_ = 0;                      // flows
  double same_ = 0;                           // levels that differ less, relative to them, are the same
  std::vector<double> uses_;                  // of the members; empty while all are 1
  IndexedHeap<double, std::less<>> waiting_;  // for their turn, by level
  std::vector<ResourceId> changed_;
  std::vector<FlowId> moved_now_;  // since the last settle()
  std::vector<FlowId> moved_;
  std::vector<FlowId> left_alone_;  // by remove()
};

}  // namespace lagnet
