#pragma once

#include <cstdint>
#include <utility>

#include "sim/message.hpp"
#include "sim/slot_table.hpp"

namespace lagnet {

/// One agent's messages in order of arrival: a list in the pool that holds those of all agents.
struct Mailbox {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t first = none, last = none;
  bool empty() const { return first == none; }
};

class MailPool {
 public:
  void put(Mailbox& box, Message&& message) {
    const std::uint32_t place = nodes_.take();
    Node& node = nodes_[place];
    node.message = std::move(message);
    node.next = Mailbox::none;
    (box.empty() ? box.first : nodes_[box.last].next) = place;
    box.last = place;
  }
  /// The mailbox must not be empty.
  Message take_first(Mailbox& box) {
    const std::uint32_t place = box.first;
    Node& node = nodes_[place];
    box.first = node.next;
    nodes_.give_back(place);
    return std::move(node.message);
  }
  /// In order of arrival; see(const Message&).
  template <class See>
  void for_each(const Mailbox& box, See&& see) const {
    for (std::uint32_t place = box.first; place != Mailbox::none; place = nodes_[place].next)
      see(nodes_[place].message);
  }
  /// Those stay for which keep(Message&) is true; it may move the others away.
  template <class Keep>
  void filter(Mailbox& box, Keep&& keep) {
    Mailbox kept;
    for (std::uint32_t place = box.first, next; place != Mailbox::none; place = next) {
      next = nodes_[place].next;
      if (!keep(nodes_[place].message)) {
        nodes_[place].message = Message();
        nodes_.give_back(place);
        continue;
      }
      nodes_[place].next = Mailbox::none;
      (kept.empty() ? kept.first : nodes_[kept.last].next) = place;
      kept.last = place;
    }
    box = kept;
  }

 private:
  struct Node {
    Message message;
    std::uint32_t next = Mailbox::none;
  };
  SlotTable<Node> nodes_;
};

}  // namespace lagnet
