#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "sim/base/types.hpp"

namespace lagnet {

/// A pending event. It fits into the word that a queue holds beside the time, so that most events are read nowhere
/// else.
class Event {
 public:
  enum class Kind : std::uint32_t {
    timer,           // of the agent subject(), with the ticket detail()
    restart,         // of the agent subject()
    message,         // the one at the place subject() arrives over the link detail()
    broadcast,       // the one at the place subject() arrives over all links of its sender, from detail() on
    listed_message,  // the one at the place subject() arrives over the links of the list detail()
    transport,       // is called with the token detail()
  };
  Event() noexcept {}  // not an event yet
  Event(Kind kind, std::uint32_t subject, std::uint32_t detail)
      : kind_and_subject_(static_cast<std::uint32_t>(kind) * max_subjects + subject), detail_(detail) {}

  Kind kind() const { return Kind{kind_and_subject_ / max_subjects}; }
  std::uint32_t subject() const { return kind_and_subject_ % max_subjects; }
  std::uint32_t detail() const { return detail_; }

  bool operator==(const Event&) const = default;

 private:
  std::uint32_t kind_and_subject_;
  std::uint32_t detail_;
};
static_assert(sizeof(Event) == 8);

/// The run loop's interface to a structure of pending events: they leave by time, equal times first in first out.
/// Nothing is pushed before the last popped time, so structures for monotone keys qualify.
template <class Q>
concept PendingEvents = requires(Q queue, const Q& view, Time at, Event event) {
  queue.push(at, event);
  { queue.pop() } -> std::same_as<Event>;
  { view.next_time() } -> std::same_as<Time>;
  { view.empty() } -> std::same_as<bool>;
  { view.size() } -> std::same_as<std::size_t>;
};

}  // namespace lagnet
