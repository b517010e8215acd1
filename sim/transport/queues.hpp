#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// What waits at the resources of a network where that is limited. A message waits from when it comes until it begins.
class Queues {
 public:
  using Slot = std::uint32_t;  // of a message
  struct Waiting {
    Slot slot = 0;
    Bytes bytes = 0;
  };

  explicit Queues(const Network& network) : network_(network) {}

  /// The limit there; null: none.
  const QueueLimit* limit(ResourceId at) const { return network_.queue(at); }
  bool is_empty(ResourceId at) const { return !waiting_.contains(at); }
  /// A message comes to a resource that is busy. Those that are lost for it, or it alone, if it cannot wait.
  std::vector<Waiting> join(ResourceId at, Waiting one);
  /// The one that has waited longest, which begins.
  Waiting leave(ResourceId at);
  std::int64_t waiting() const { return count_; }
  /// Calls visit(resource, Waiting) for each, those of one resource in the order in which they came.
  void for_each(const auto& visit) const {
    for (const auto& [at, queue] : waiting_)
      for (const Waiting& one : queue.of) visit(at, one);
  }

 private:
  struct Queue {
    std::deque<Waiting> of;
    Bytes bytes = 0;
  };
  Waiting take(std::map<ResourceId, Queue>::iterator from);

  const Network& network_;
  std::map<ResourceId, Queue> waiting_;  // those that are not empty
  std::int64_t count_ = 0;
};

/// Room at the resources of a network where it stays at the sender what finds none: messages leave the outboxes of
/// their links when all resources of their paths have room, take it, and give it back at each one where they begin.
class Rooms {
 public:
  using Slot = Queues::Slot;

  explicit Rooms(const Network& network) : network_(network) {}

  bool is_limited(AgentId from, LinkId link) const;
  /// Takes room for a message if there is some and no other waits before it over this link.
  bool take(AgentId from, LinkId link, Bytes bytes);
  void wait(LinkId link, Slot slot) { outboxes_[link].push_back(slot); }
  void give_back(ResourceId at, Bytes bytes);
  /// The first ones of all outboxes.
  std::vector<Slot> first() const;
  void leave(LinkId link);
  std::int64_t waiting() const;

 private:
  struct Used {
    Bytes bytes = 0;
    std::int64_t messages = 0;
  };
  std::vector<ResourceId> limited(AgentId from, LinkId link) const;
  bool has_room(const std::vector<ResourceId>& path, Bytes bytes) const;

  const Network& network_;
  std::map<ResourceId, Used> used_;
  std::map<LinkId, std::deque<Slot>> outboxes_;  // those that are not empty
};

}  // namespace lagnet
