#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "sim/exchange/message.hpp"
#include "sim/machine/frame_pool.hpp"
#include "sim/machine/prefetch.hpp"

namespace lagnet {

/// The messages of exchanges that wait for every neighbor; a neighbor is known by its slot, its place among
/// neighbors(). A neighbor can be one exchange ahead, since it needs ours to finish the present one: what comes ahead
/// of time has places of its own, made when they are needed.
class LockstepInbox {
 public:
  struct Entry {  // of a message what sender and exchange do not tell
    Payload body;
    Round round = 0;
    std::uint32_t hops = 0;
  };

  /// Waits for the next exchange; returns its number, from 1. The one before must be cleared.
  std::uint32_t begin(std::size_t neighbors) {
    std::swap(present_, ahead_);
    present_.entries.resize(neighbors);
    return ++count_;
  }
  std::uint32_t count() const { return count_; }  // of exchanges so far, the present one included
  bool complete() const { return present_.arrived == present_.entries.size(); }
  /// Whether that message is the last one missing.
  bool completed_by(const Message& message) const {
    return message.exchange == count_ && present_.arrived + 1 == present_.entries.size();
  }

  /// False if the message is of neither the present nor the next exchange, or has come before.
  bool put(const Message& message, std::uint32_t slot, std::size_t neighbors) {
    const std::uint32_t ahead = message.exchange - count_;
    if (ahead > 1) return false;
    Places& places = ahead == 0 ? present_ : ahead_;
    if (ahead == 1 && places.entries.empty()) places.entries.resize(neighbors);
    Entry& entry = places.entries[slot];
    if (entry.body) return false;
    entry.body = message.body;
    entry.round = message.round;
    entry.hops = message.hops;
    ++places.arrived;
    return true;
  }

  void prefetch_place(const Message& message, std::uint32_t slot) const {
    const Places& places = message.exchange == count_ ? present_ : ahead_;
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
    std::size_t arrived = 0;
  };
  Places present_, ahead_;
  std::uint32_t count_ = 0;
};

}  // namespace lagnet
