#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/errors.hpp"
#include "sim/exchange/message.hpp"

namespace lagnet {

/// Where a message lies from when it is sent until it is taken: one cache line, known by a number.
struct alignas(64) MessagePlace {
  struct OnTheWay {
    Time sent;
    std::uint64_t serials_from;  // the transmission over link k has serial number serials_from + k, modulo 2^64
  };
  struct Kept {                  // in a mailbox
    std::uint32_t next;          // or, of the places that are free, the one given back before
    std::uint32_t sender_place;  // among the receiver's in_neighbors()
    std::int64_t came_ns;
  };
  Message message;
  union {
    OnTheWay on_the_way{};
    Kept kept;
  };
};
static_assert(sizeof(MessagePlace) == 64);

/// One agent's messages in order of arrival: a list of their places.
struct Mailbox {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t first = none, last = none;
  bool empty() const { return first == none; }
};

/// All messages that are on their way or in a mailbox. A place stays where it is; those that are given back are taken
/// again, the last one first.
class MessageTable {
 public:
  std::uint32_t take() {
    if (free_ == Mailbox::none) return make();
    const std::uint32_t slot = free_;
    free_ = (*this)[slot].kept.next;
    return slot;
  }
  /// With a message in it.
  std::uint32_t hold(Message&& message) {
    const std::uint32_t slot = take();
    std::construct_at(&(*this)[slot].message, std::move(message));  // a free place has no body to be destroyed
    return slot;
  }
  /// The message's body must have been moved or taken away.
  void give_back(std::uint32_t slot) { give_back(slot, (*this)[slot]); }
  MessagePlace& operator[](std::uint32_t slot) { return pages_[slot / page_size][slot % page_size]; }
  const MessagePlace& operator[](std::uint32_t slot) const { return pages_[slot / page_size][slot % page_size]; }

  /// Keeps the message at that place; the slot is given back when it is taken.
  void keep(Mailbox& box, std::uint32_t slot, MessagePlace& place, std::uint32_t sender_place, Time came) {
    place.kept = {.next = Mailbox::none, .sender_place = sender_place, .came_ns = came.ns()};
    append(box, slot);
  }
  void put(Mailbox& box, Message&& message, std::uint32_t sender_place, Time came) {
    const std::uint32_t slot = hold(std::move(message));
    keep(box, slot, (*this)[slot], sender_place, came);
  }
  /// The mailbox must not be empty.
  Message take_first(Mailbox& box) {
    const std::uint32_t slot = box.first;
    MessagePlace& place = (*this)[slot];
    box.first = place.kept.next;
    give_back(slot, place);
    return std::move(place.message);
  }
  /// In order of arrival; see(const Message&, place of its sender), or with the time of its arrival behind them.
  template <class See>
  void for_each(const Mailbox& box, See&& see) const {
    for (std::uint32_t slot = box.first; slot != Mailbox::none; slot = (*this)[slot].kept.next) {
      const MessagePlace& place = (*this)[slot];
      if constexpr (std::invocable<See, const Message&, std::uint32_t, Time>)
        see(place.message, place.kept.sender_place, Time::nanoseconds(place.kept.came_ns));
      else
        see(place.message, place.kept.sender_place);
    }
  }
  /// When the first message came; the mailbox must not be empty.
  Time first_came(const Mailbox& box) const { return Time::nanoseconds((*this)[box.first].kept.came_ns); }
  /// Whether another message came at the same instant as the first one; the mailbox must not be empty.
  bool begins_with_tie(const Mailbox& box) const {
    const auto& first = (*this)[box.first].kept;
    return first.next != Mailbox::none && (*this)[first.next].kept.came_ns == first.came_ns;
  }
  /// Puts the messages that came at the same instant as the first one into the order of key(const Message&). Throws
  /// nothing away; those of equal keys keep their order.
  template <class Key>
  void order_first_instant(Mailbox& box, Key&& key) {
    std::vector<std::pair<std::invoke_result_t<Key, const Message&>, std::uint32_t>> tied;
    const std::int64_t came = (*this)[box.first].kept.came_ns;
    std::uint32_t rest = box.first;
    for (; rest != Mailbox::none && (*this)[rest].kept.came_ns == came; rest = (*this)[rest].kept.next)
      tied.emplace_back(key((*this)[rest].message), rest);
    std::ranges::stable_sort(tied, {}, [](const auto& one) { return one.first; });
    Mailbox ordered;
    for (const auto& [place, slot] : tied) append(ordered, slot);
    (*this)[ordered.last].kept.next = rest;
    box.first = ordered.first;
    if (rest == Mailbox::none) box.last = ordered.last;
  }
  /// Keeps the messages for which keep(Message&, place of its sender) is true; keep() may move the others away.
  template <class Keep>
  void filter(Mailbox& box, Keep&& keep) {
    Mailbox stays;
    for (std::uint32_t slot = box.first, next; slot != Mailbox::none; slot = next) {
      MessagePlace& place = (*this)[slot];
      next = place.kept.next;
      if (keep(place.message, place.kept.sender_place)) {
        place.kept.next = Mailbox::none;
        append(stays, slot);
      } else {
        place.message = Message();
        give_back(slot, place);
      }
    }
    box = stays;
  }

 private:
  static constexpr std::uint32_t page_size = 512;

  void append(Mailbox& box, std::uint32_t slot) {
    (box.empty() ? box.first : (*this)[box.last].kept.next) = slot;
    box.last = slot;
  }
  void give_back(std::uint32_t slot, MessagePlace& place) {
    place.kept.next = free_;
    free_ = slot;
  }
  [[gnu::noinline]] std::uint32_t make() {
    if (made_ == pages_.size() * page_size) pages_.push_back(std::make_unique<MessagePlace[]>(page_size));
    LAGNET_CHECK(made_ < max_subjects, "{} messages at once", made_);
    return made_++;
  }

  std::vector<std::unique_ptr<MessagePlace[]>> pages_;
  std::uint32_t free_ = Mailbox::none;
  std::uint32_t made_ = 0;
};

}  // namespace lagnet
