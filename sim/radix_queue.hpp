#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/errors.hpp"
#include "sim/event_queue.hpp"

namespace lagnet {

/// A radix heap of 16-byte entries with a sorted bottom. Bucket b holds the times that differ from `last_` in bit b-1
/// first, so that every time lies in one bucket and all moves between buckets are in order: equal times stay first in
/// first out without sequence numbers. A bucket is spread over smaller ones when its turn comes, or sorted when it is
/// small; what then leaves, one after the other, is known ahead. Amortized O(log of the span of times).
/// R. K. Ahuja, K. Mehlhorn, J. B. Orlin, R. E. Tarjan, "Faster algorithms for the shortest path problem", 1990.
class RadixQueue {
 public:
  struct Entry {
    std::int64_t time;
    EventSlot slot;
  };

  /// Not before the last popped time.
  void push(Time at, EventSlot slot) {
    LAGNET_CHECK(at.ns() >= now_, "an event for {} ns comes at {} ns", at.ns(), now_);
    ++size_;
    if (static_cast<std::uint64_t>(at.ns()) < bottom_end_)
      put_into_bottom({at.ns(), slot});
    else
      put_into_bucket({at.ns(), slot});
  }
  /// The earliest; the queue must not be empty.
  EventSlot pop() {
    LAGNET_CHECK(size_ > 0, "pop from an empty queue");
    if (at_ == bottom_.size()) refill();
    --size_;
    const Entry entry = bottom_[at_++];
    now_ = entry.time;
    if (at_ >= 1024 && 2 * at_ >= bottom_.size()) forget_those_that_left();
    return entry.slot;
  }
  Time next_time() const { return Time::nanoseconds(at_ < bottom_.size() ? bottom_[at_].time : earliest_[lowest()]); }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// The next to leave, as far as they are sorted and nothing comes between them.
  std::span<const Entry> upcoming() const { return std::span(bottom_).subspan(at_); }

 private:
  static constexpr std::size_t small = 48;  // sorting so many costs less than to spread them
  unsigned lowest() const { return static_cast<unsigned>(std::countr_zero(filled_)); }  // bucket that is not empty
  void put_into_bucket(Entry entry) {
    const auto b = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(entry.time ^ last_)));
    const std::uint64_t bit = std::uint64_t{1} << b;
    if (!(filled_ & bit) || entry.time < earliest_[b]) earliest_[b] = entry.time;
    filled_ |= bit;
    buckets_[b].push_back(entry);
  }
  void put_into_bottom(Entry entry);
  void forget_those_that_left();  // each move is of at most as many as have left
  void refill();
  void spill();

  std::size_t size_ = 0;
  std::int64_t now_ = 0;          // the last popped time
  std::int64_t last_ = 0;         // what the buckets refer to; not after now_
  std::uint64_t bottom_end_ = 1;  // all earlier times are in the bottom
  std::vector<Entry> bottom_;     // sorted; those before at_ have left
  std::size_t at_ = 0;
  std::uint64_t filled_ = 0;  // a bit for each bucket that is not empty
  std::array<std::vector<Entry>, 64> buckets_;
  std::array<std::int64_t, 64> earliest_{};  // time in each bucket that is not empty
};
static_assert(PendingEvents<RadixQueue>);

using EventQueue = RadixQueue;

}  // namespace lagnet
