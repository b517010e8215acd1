#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/engine/radix_queue.hpp"

namespace lagnet {

/// Events of one time, brought into an order that depends on the events alone and not on when they were scheduled.
class TiedEvents {
 public:
  /// Restarts come first, so that an agent that starts again gets what arrives; then what has waited in a limited queue
  /// begins, before more comes there; transfers that share bandwidth come
  /// last, so that all that starts at this time shares it.
  enum class Rank : std::uint32_t { restart, beginning, caused, transfers };
  struct Place {
    Rank rank = Rank::caused;
    AgentId agent = 0;        // that caused the event
    std::uint64_t count = 0;  // that agent's, which ascends with what it causes
    auto operator<=>(const Place&) const = default;
  };

  /// Sorts by place_of(Event); places differ where the order matters. Most events are in order, as agents that go on
  /// together went on together before, so the sorted ones at the front are moved at most, and those behind inserted.
  template <class PlaceOf>
  void sort(std::span<RadixQueue::Entry> tied, PlaceOf&& place_of) {
    std::size_t ordered = 1;
    for (Place last = place_of(tied[0].event); ordered < tied.size(); ++ordered) {
      const Place next = place_of(tied[ordered].event);
      if (next < last) break;
      last = next;
    }
    if (ordered == tied.size()) return;
    late_.clear();
    for (const RadixQueue::Entry& entry : tied.subspan(ordered)) late_.push_back({place_of(entry.event), entry});
    std::ranges::stable_sort(late_, {}, &Late::place);
    auto front_end = tied.begin() + static_cast<std::ptrdiff_t>(ordered), to = tied.end();
    for (const Late& late : std::views::reverse(late_)) {
      const auto at = std::ranges::upper_bound(tied.begin(), front_end, late.place, {},
                                               [&](const RadixQueue::Entry& entry) { return place_of(entry.event); });
      to = std::move_backward(at, front_end, to);
      *--to = late.entry;
      front_end = at;
    }
  }

 private:
  struct Late {
    Place place;
    RadixQueue::Entry entry;
  };
  std::vector<Late> late_;
};

}  // namespace lagnet
