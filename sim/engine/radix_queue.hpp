#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/errors.hpp"
#include "sim/engine/event_queue.hpp"

namespace lagnet {

/// A radix heap of 16-byte entries with a sorted bottom. Bucket (k, c) holds the times whose first digit that
/// differs from `last_` is digit k, where they have a c, so that every time lies in one bucket and all moves between
/// buckets are in order: equal times stay first in first out without sequence numbers. A bucket is spread over smaller
/// ones when its turn comes, or sorted when it is small; what then leaves, one after the other, is known ahead.
/// Amortized O(log of the span of times). Digits have five bits: with fewer an event moves more often, with more it
/// comes through more buckets that are nearly empty.
/// R. K. Ahuja, K. Mehlhorn, J. B. Orlin, R. E. Tarjan, "Faster algorithms for the shortest path problem", 1990.
class RadixQueue {
 public:
  struct Entry {
    std::int64_t time;
    Event event;
  };

  /// Not before the last popped time.
  void push(Time at, Event event) {
    LAGNET_CHECK(at.ns() >= now_, "an event for {} ns comes at {} ns", at.ns(), now_);
    ++size_;
    if (at.ns() < next_) next_ = at.ns();
    if (static_cast<std::uint64_t>(at.ns()) < bottom_end_)
      put_into_bottom({at.ns(), event});
    else
      put_into_bucket({at.ns(), event});
  }
  /// The earliest; the queue must not be empty.
  Event pop() {
    LAGNET_CHECK(size_ > 0, "pop from an empty queue");
    if (at_ >= watch_) tend();
    const Event event = bottom_[at_].event;
    now_ = next_;
    --size_;
    if (++at_ < bottom_.size())
      next_ = bottom_[at_].time;
    else
      next_ = size_ > 0 ? buckets_[lowest()].earliest : latest;
    return event;
  }
  /// The event that was popped last, since when nothing was pushed, and those of its time that will leave next, in
  /// their order: the caller may give them another one.
  std::span<Entry> tied_with_last() {
    std::size_t end = at_;
    while (end < bottom_.size() && bottom_[end].time == now_) ++end;
    return std::span(bottom_).subspan(at_ - 1, end - at_ + 1);
  }
  /// The time of the earliest event; never() if there is none.
  Time next_time() const { return Time::nanoseconds(next_); }
  /// Visits every pending event, in no particular order.
  template <class See>
  void for_each(See&& see) const {
    for (std::size_t k = at_; k < bottom_.size(); ++k) see(bottom_[k].event);
    for (const Bucket& bucket : buckets_)
      for (const Entry& entry : bucket.entries) see(entry.event);
  }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// The next events to leave, as far as they are sorted and nothing comes between them.
  std::span<const Entry> upcoming() const { return std::span(bottom_).subspan(at_); }

 private:
  static constexpr std::int64_t latest = Time::never().ns();
  static constexpr std::size_t small = 48;   // sorting this many costs less than spreading them
  static constexpr std::size_t many = 4096;  // from here on memory is waited for, and
  static constexpr std::size_t few = 16;     // this many are always known ahead, if they need not be spread
  static constexpr std::size_t small_among_many = 256;
  static constexpr unsigned digit_bits = 5, digit_values = 1u << digit_bits, digits = 13;  // of 63 bits
  struct Bucket {
    std::vector<Entry> entries;
    std::int64_t earliest = 0;  // of its times, if it has any
  };
  unsigned lowest() const {  // bucket that is not empty; there must be one
    const auto k = static_cast<unsigned>(std::countr_zero(filled_digits_));
    return k * digit_values + static_cast<unsigned>(std::countr_zero(filled_[k]));
  }
  void put_into_bucket(Entry entry) {
    const auto differing = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(entry.time ^ last_) | 1u));
    const unsigned k = (differing - 1) / digit_bits;
    const auto c = static_cast<unsigned>(entry.time >> k * digit_bits) % digit_values;
    Bucket& bucket = buckets_[k * digit_values + c];
    if (bucket.entries.empty()) {
      filled_digits_ |= 1u << k;
      filled_[k] |= 1u << c;
      bucket.earliest = entry.time;
    } else if (entry.time < bucket.earliest) {
      bucket.earliest = entry.time;
    }
    bucket.entries.push_back(entry);
  }
  void put_into_bottom(Entry entry);
  void tend();                    // to the bottom: has one that leaves next
  void forget_those_that_left();  // each move is of at most as many as have left
  std::size_t at_once() const { return size_ > many ? small_among_many : small; }
  void refill();
  void refill_early();            // if no bucket need be spread for that
  void append_small(unsigned k);  // buckets of digit k: the first, and as many as are few together
  /// A small bucket of digit k, by its next digit, then by insertion.
  void append_sorted(const std::vector<Entry>& bucket, unsigned k);
  void forget_bucket(unsigned b) {
    const unsigned k = b / digit_values;
    filled_[k] &= filled_[k] - 1;  // it is the lowest
    if (filled_[k] == 0) filled_digits_ &= filled_digits_ - 1;
  }
  void spill();

  std::size_t size_ = 0;
  std::int64_t now_ = 0;          // the last popped time
  std::int64_t next_ = latest;    // the earliest time
  std::int64_t last_ = 0;         // what the buckets refer to; not after now_
  std::uint64_t bottom_end_ = 1;  // all earlier times are in the bottom
  std::vector<Entry> bottom_;     // sorted; those before at_ have left
  std::size_t at_ = 0;
  std::size_t watch_ = 0;                       // where tend() is needed again: not beyond the end of the bottom
  std::uint32_t filled_digits_ = 0;             // a bit for each digit with a bucket that is not empty
  std::array<std::uint32_t, digits> filled_{};  // of each digit, a bit for each such bucket
  std::array<Bucket, std::size_t{digits} * digit_values> buckets_;
};
static_assert(PendingEvents<RadixQueue>);

using EventQueue = RadixQueue;

}  // namespace lagnet
