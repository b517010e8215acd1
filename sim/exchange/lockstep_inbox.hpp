#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>

#include "sim/exchange/message.hpp"
#include "sim/machine/frame_pool.hpp"
#include "sim/machine/processor.hpp"

namespace lagnet {

/// The messages of exchanges that wait for every neighbor; a neighbor is known by its slot, its place among those that
/// send to this agent. A neighbor can be one exchange ahead, since it needs ours to finish the present one: what comes
/// ahead of time has places of its own, made when they are needed. Where links go one way it may be further ahead, as
/// far as it is from here to there.
class LockstepInbox {
 public:
  struct Entry {  // of a message, apart from sender and exchange
    Payload body;
    Round round = 0;
    std::uint32_t hops = 0;
  };

  /// Waits for the next exchange; returns its number, from 1. The one before must be cleared.
  std::uint32_t begin(std::size_t neighbors) {
    std::swap(present_, ahead_);
    present_.exchange = ahead_.exchange + 1;
    present_.entries.resize(neighbors);
    if (further_) come_nearer();
    return count();
  }
  std::uint32_t count() const { return present_.exchange; }  // of exchanges so far, the present one included
  bool complete() const { return present_.arrived == present_.entries.size(); }
  /// Whether that message is the last one missing.
  bool completed_by(const Message& message) const {
    return message.exchange == count() && present_.arrived + 1 == present_.entries.size();
  }

  /// False if the message is of neither the present nor the next exchange, or has come before.
  bool put(const Message& message, std::uint32_t slot, std::size_t neighbors) {
    const std::uint32_t ahead = message.exchange - count();
    if (ahead > 1) return false;
    Places& places = ahead == 0 ? present_ : ahead_;
    if (ahead == 1 && places.entries.empty()) places.entries.resize(neighbors);
    return fill(places.entries[slot], places, message);
  }
  /// The same of an exchange after the next one. False if the message is of an earlier one, or has come before.
  bool put_further(const Message& message, std::uint32_t slot, std::size_t neighbors);

  void prefetch_place(const Message& message, std::uint32_t slot) const {
    const Places& places = message.exchange == count() ? present_ : ahead_;
    if (slot < places.entries.size()) prefetch(&places.entries[slot]);
  }
  std::span<const Entry> entries() const { return present_.entries; }
  /// Drops the messages of the present exchange and keeps their places.
  void clear() {
    for (Entry& entry : present_.entries) entry.body = Payload();
    present_.arrived = 0;
  }

 private:
  struct Places {
    PooledVector<Entry> entries;  // by slot
    std::uint32_t arrived = 0;
    std::uint32_t exchange = 0;  // the number of the present one
  };
  static bool fill(Entry& entry, Places& places, const Message& message) {
    if (entry.body) return false;
    entry.body = message.body;
    entry.round = message.round;
    entry.hops = message.hops;
    ++places.arrived;
    return true;
  }
  void come_nearer();

  Places present_, ahead_;
  std::unique_ptr<std::deque<Places>> further_;  // of the exchange after the next one, and so on
};

}  // namespace lagnet
