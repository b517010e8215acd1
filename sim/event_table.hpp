#pragma once

#include <cstdint>
#include <utility>

#include "sim/message.hpp"
#include "sim/slot_table.hpp"

namespace lagnet {

/// What will happen at some time: a timer or restart of an agent, a message to some of the sender's links, or a call of
/// a carrier; or a message that has arrived and waits in a mailbox.
struct Event {
  enum class Kind : std::uint8_t { timer, message, listed_message, carrier, restart };
  Message message;
  Bytes bytes = 0;                 // of each copy
  std::uint64_t serials_from = 0;  // the transmission over link k has serial number serials_from + k, modulo 2^64
  std::uint32_t subject = 0;       // the agent; the first link; the place in a list of link lists
  /// The timer's ticket; the carrier's token; how many links; in a mailbox the sender's place among the neighbors.
  std::uint32_t detail = 0;
  std::uint32_t next = 0;  // in the mailbox, or of those that are free
  Kind kind = Kind::timer;
};

/// One agent's messages in order of arrival: a list of events that have happened.
struct Mailbox {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t first = none, last = none;
  bool empty() const { return first == none; }
};

/// All events and mailboxes: a message stays in its place from when it is sent until it is taken.
class EventTable {
 public:
  std::uint32_t take() { return events_.take(); }
  void give_back(std::uint32_t slot) { events_.give_back(slot); }
  Event& operator[](std::uint32_t slot) { return events_[slot]; }

  /// Keeps an event's message; the slot is given back when it is taken.
  void keep(Mailbox& box, std::uint32_t slot, std::uint32_t sender_place) {
    events_[slot].detail = sender_place;
    events_[slot].next = Mailbox::none;
    (box.empty() ? box.first : events_[box.last].next) = slot;
    box.last = slot;
  }
  void put(Mailbox& box, Message&& message, std::uint32_t sender_place) {
    const std::uint32_t slot = events_.take();
    events_[slot].message = std::move(message);
    keep(box, slot, sender_place);
  }
  /// The mailbox must not be empty.
  Message take_first(Mailbox& box) {
    const std::uint32_t slot = box.first;
    Event& event = events_[slot];
    box.first = event.next;
    events_.give_back(slot);
    return std::move(event.message);
  }
  /// In order of arrival; see(const Message&, place of its sender).
  template <class See>
  void for_each(const Mailbox& box, See&& see) const {
    for (std::uint32_t place = box.first; place != Mailbox::none; place = events_[place].next)
      see(events_[place].message, events_[place].detail);
  }
  /// Those stay for which keep(Message&, place of its sender) is true; it may move the others away.
  template <class Keep>
  void filter(Mailbox& box, Keep&& keep) {
    Mailbox kept;
    for (std::uint32_t place = box.first, next; place != Mailbox::none; place = next) {
      next = events_[place].next;
      if (!keep(events_[place].message, events_[place].detail)) {
        events_[place].message = Message();
        events_.give_back(place);
        continue;
      }
      events_[place].next = Mailbox::none;
      (kept.empty() ? kept.first : events_[kept.last].next) = place;
      kept.last = place;
    }
    box = kept;
  }

 private:
  SlotTable<Event> events_;
};

}  // namespace lagnet
