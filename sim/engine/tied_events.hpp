#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/engine/radix_queue.hpp"

namespace lagnet {

/// Events of one time, brought into an order that depends on the events alone and not on when they were scheduled.
class TiedEvents {
 public:
  /// Restarts come first, so that an agent that starts again gets what arrives; transfers that share bandwidth come
  /// last, so that all that starts at this time shares it.
  enum class Rank : std::uint32_t { restart, caused, transfers };
  struct Place {
    Rank rank = Rank::caused;
    AgentId agent = 0;        // that caused the event
    std::uint64_t count = 0;  // that agent's, which ascends with what it causes
    auto operator<=>(const Place&) const = default;
  };

  /// Sorts by place_of(Event); places differ where the order matters.
  template <class PlaceOf>
  void sort(std::span<RadixQueue::Entry> tied, PlaceOf&& place_of) {
    tied_.clear();
    for (const RadixQueue::Entry& entry : tied) tied_.push_back({place_of(entry.event), entry.event});
    // Most of them are in order: agents that go on together went on together before.
    const auto unsorted = std::ranges::is_sorted_until(tied_, {}, &Tied::place);
    if (unsorted == tied_.end()) return;
    std::ranges::sort(unsorted, tied_.end(), {}, &Tied::place);
    std::ranges::inplace_merge(tied_, unsorted, {}, &Tied::place);
    for (std::size_t k = 0; k < tied.size(); ++k) tied[k].event = tied_[k].event;
  }

 private:
  struct Tied {
    Place place;
    Event event;
  };
  std::vector<Tied> tied_;
};

}  // namespace lagnet
