#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "sim/world/network.hpp"
#include "sim/world/schedule.hpp"

namespace lagnet {

/// When the first and the last bit of a message are at a place.
struct Passage {
  Time first, last;
};

/// What messages pass one after the other: an interface or a link, of a constant rate or one that changes.
class Resource {
 public:
  explicit Resource(double bytes_per_s, const Schedule* schedule = nullptr) : rate_(bytes_per_s), schedule_(schedule) {}
  /// One of a network that outlives it. A medium works by time, in nanoseconds in place of bytes.
  Resource(const Network& network, ResourceId id)
      : Resource(network.is_medium(id) ? 1e9 : network.rate(id), network.schedule(id)) {}

  /// Whether messages can wait here. One so small that its time is 0 ns has its turn all the same.
  bool is_limited() const { return std::isfinite(rate_) || schedule_; }
  /// When bytes that begin at `begin` are through.
  Time leaves(Time begin, double bytes) const {
    return schedule_ ? schedule_->leaves(begin, bytes) : saturated(begin, Duration::seconds(bytes / rate_));
  }
  /// The moment after `at` at which its rate may be another.
  Time next_change(Time at) const { return schedule_ ? schedule_->next_change(at) : Time::never(); }
  double bytes_per_s(Time at) const { return schedule_ ? schedule_->at(at) : rate_; }

  /// When the last bit of a message is through, whose first bit comes at in.first, no earlier than that of all before
  /// it. The last bit leaves when there was time for all the work before it, and not before it has come; bits that are
  /// still under way keep no others waiting.
  Time last_leaves(Passage in, double bytes) {
    free_ = leaves(std::max(in.first, free_), bytes);
    return std::max(free_, in.last);
  }
  /// Likewise, and when it would be through that comes at `came` without others before it.
  struct Leaving {
    Time last, alone;
  };
  Leaving last_leaves(Time came, Passage in, double bytes) {
    if (schedule_) return {last_leaves(in, bytes), std::max(leaves(came, bytes), in.last)};
    const Duration span = Duration::seconds(bytes / rate_);
    free_ = saturated(std::max(in.first, free_), span);
    return {std::max(free_, in.last), std::max(saturated(came, span), in.last)};
  }
  /// The same for a message that is sent on when all of it is there.
  Time leaves_whole(Time at, double bytes) { return last_leaves({at, at}, bytes); }
  /// When the next message begins at the earliest.
  Time free() const { return free_; }

 private:
  double rate_;
  const Schedule* schedule_;
  Time free_;  // when there was time for all the work so far
};

/// The bytes that wait at a resource, so that it is known when the first bit of a message leaves: D. V. Lindley, "The
/// theory of queues with a single server", 1952, in bytes; work arrives at a constant rate from a message's first bit
/// to its last.
class Backlog {
 public:
  /// When the first bit of a message leaves that comes as in Resource::last_leaves, which then is among those before
  /// the next one.
  Time first_leaves(const Resource& of, Passage in, double bytes) {
    pour(of, in.first);
    const Time leaves = waiting_ > 0 ? of.leaves(in.first, waiting_) : in.first;
    if (in.last > in.first) {
      const double rate = bytes / static_cast<double>((in.last - in.first).ns());
      inflow_ += rate;
      inflows_.emplace(in.last, rate);
    } else {
      waiting_ += bytes;
    }
    return leaves;
  }

 private:
  void pour(const Resource& of, Time now) {
    if (waiting_ == 0 && inflows_.empty()) clock_ = now;
    while (clock_ < now) {
      const Time ends = inflows_.empty() ? Time::never() : inflows_.top().first;
      const Time until = std::min({now, ends, of.next_change(clock_)});
      const double gain = inflow_ - of.bytes_per_s(clock_) / 1e9;
      waiting_ = std::max(0.0, waiting_ + gain * static_cast<double>((until - clock_).ns()));
      clock_ = until;
      for (; !inflows_.empty() && inflows_.top().first == clock_; inflows_.pop()) inflow_ -= inflows_.top().second;
      if (inflows_.empty()) inflow_ = 0;
    }
  }

  using Inflow = std::pair<Time, double>;  // its end, and bytes per ns until then
  double waiting_ = 0;                     // bytes that are there
  double inflow_ = 0;                      // bytes per ns, the sum of those of inflows_
  Time clock_;                             // when waiting_ was that
  std::priority_queue<Inflow, std::vector<Inflow>, std::greater<>> inflows_;
};

}  // namespace lagnet
