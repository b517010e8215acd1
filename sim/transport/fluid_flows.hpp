#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/base/indexed_heap.hpp"
#include "sim/base/types.hpp"
#include "sim/transport/max_min_rates.hpp"

namespace lagnet {

/// Flows of bytes that share the bandwidth of resources max-min fairly at every moment, as the flows of a fluid model
/// of TCP do: when one starts or ends, the rates of the others change. The caller decides what a resource is (an
/// interface, a link, a switch) and accounts for latency: a flow starts here when its first byte does.
///
/// A change of a rate touches no flow but those whose bottleneck changes: flows with the same bottleneck have the same
/// rate, so each resource counts the bytes that a flow bottlenecked there has got since some moment (virtual time), and
/// a flow ends when that count has grown by its size. Starts and ends at one instant cost one computation of rates,
/// when next(), rate() or a later instant ask for it. See MaxMinRates for its cost.
class FluidFlows {
 public:
  static constexpr ResourceId no_resource = ~ResourceId{0};

  /// Bytes per second of each resource, infinity for none that binds. Throws std::invalid_argument that names each one
  /// that is not above 0.
  explicit FluidFlows(std::vector<double> capacity_bytes_per_s, std::size_t longest_path = 3);

  /// A flow of `size` bytes (0 or more) over up to `longest_path` distinct resources. `now` must be neither before an
  /// earlier call's nor after next(). An id is used again after the flow's end. held_up() refers to the resource
  /// `watched`. `uses`: what a byte of the flow uses of each resource, in bytes, above 0; empty: 1 each.
  FlowId start(Time now, std::span<const ResourceId> path, Bytes size, ResourceId watched = no_resource,
               std::span<const double> uses = {});
  /// From now on, of a resource that binds; with 0 its flows stand. `now` as for start().
  void set_capacity(Time now, ResourceId resource, double bytes_per_s);
  /// When the next flow ends, to the nearest nanosecond; never() without flows, and for ends beyond 292 years.
  Time next() const;
  /// The flows that have ended by `now`, in the order in which they started; `now` as for start(). The span holds, and
  /// its ids are free, until the next call of finish(). A flow of 0 bytes or over no resource that binds ends at the
  /// instant it starts. When rates changed at this instant, a call may leave further flows that end at it: next() says
  /// so.
  std::span<const FlowId> finish(Time now);
  /// Bytes per second now of a flow that finish() has not returned; infinity once it has all its bytes.
  double rate(FlowId flow) const;
  /// Of a flow that the last finish() returned: the share of its time, 0 to 1, in which the resource that it watches
  /// was its bottleneck.
  double held_up(FlowId flow) const;
  /// The number of flows that have started and were not returned by finish().
  std::size_t flows() const { return live_; }

 private:
  struct Flow {
    std::uint64_t order = 0;              // number of flows started before
    double remaining_bytes = 0;           // while it has no bottleneck yet
    double end_bytes = 0;                 // of its bottleneck's count, else
    ResourceId bottleneck = no_resource;  // no_resource before the first computation and after its end
    ResourceId watched = no_resource;
    Time started, joined;     // when it was, and when its present bottleneck became that
    Duration held;            // time in which the resource that it watches was its bottleneck
    std::uint32_t place = 0;  // in the bottleneck's heap
    bool live = false;
    bool complete = false;
  };
  struct Group {                            // the flows with one bottleneck
    IndexedHeap<double, std::less<>> ends;  // by end_bytes
    double speed_bytes_per_s = 0;           // of each of its flows
    double count_bytes = 0;                 // that each one got, from a zero point of no importance
    Time counted;                           // when count_bytes was that
    std::uint32_t place = 0;                // in due_
    bool is_due = false;                    // whether it is in due_
    bool touched = false;
  };

  FlowId new_flow();
  void advance(Time now);
  void settle() const;
  void collect() const;
  double count_now(const Group& group) const;
  void leave_group(FlowId flow) const;
  void join_group(FlowId flow, ResourceId resource) const;
  void touch(ResourceId resource) const;
  void renew_due(ResourceId resource) const;
  auto flow_place() const {
    return [this](FlowId flow) -> std::uint32_t& { return flows_[flow].place; };
  }

  const std::size_t longest_path_;
  std::vector<ResourceId> binding_;   // of the flow that starts
  std::vector<double> binding_uses_;  // what it uses of them
  std::vector<bool> binds_;           // whether a resource's capacity is finite
  std::vector<FlowId> free_;
  std::vector<FlowId> finished_;  // returned by the last finish()
  std::uint64_t started_ = 0;
  std::size_t live_ = 0;
  Time clock_;

  // Rates and ends are updated on request.
  mutable MaxMinRates levels_;
  mutable std::vector<Flow> flows_;
  mutable std::vector<Group> groups_;                   // one for each resource
  mutable IndexedHeap<std::int64_t, std::less<>> due_;  // groups with flows, by the ns of their next end
  mutable std::vector<ResourceId> touched_;             // groups whose next end may be another
  mutable std::vector<FlowId> complete_;                // ended by clock_, not yet returned
};

}  // namespace lagnet
