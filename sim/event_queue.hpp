#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "sim/types.hpp"

namespace lagnet {

/// Which pending event: a slot of the simulation's table.
using EventSlot = std::uint32_t;

/// What the run loop asks of a structure that holds pending events: they leave by time, equal times first in first out.
/// Nothing is pushed before the last popped time, so structures for monotone keys qualify.
template <class Q>
concept PendingEvents = requires(Q queue, const Q& view, Time at, EventSlot slot) {
  queue.push(at, slot);
  { queue.pop() } -> std::same_as<EventSlot>;
  { view.next_time() } -> std::same_as<Time>;
  { view.empty() } -> std::same_as<bool>;
  { view.size() } -> std::same_as<std::size_t>;
};

/// A 4-ary heap of 16-byte entries {time, sequence number and slot below 2^24}: the oracle of the radix heap that the
/// simulation uses, and for times that are not monotone. push and pop O(log n).
class HeapQueue {
 public:
  void push(Time at, EventSlot slot);
  EventSlot pop();  // the earliest; the queue must not be empty
  Time next_time() const { return Time::nanoseconds(heap_.front().time); }
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }

 private:
  struct Entry {
    std::int64_t time;
    std::uint64_t order;  // sequence number in the high 40 bits, slot in the low 24
    bool before(const Entry& other) const { return time != other.time ? time < other.time : order < other.order; }
  };
  std::vector<Entry> heap_;
  std::uint64_t pushed_ = 0;
};
static_assert(PendingEvents<HeapQueue>);

}  // namespace lagnet
