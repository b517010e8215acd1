#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/world/network.hpp"

namespace lagnet {

/// An interface or a link, which messages pass one after the other.
class LinkQueue {
 public:
  explicit LinkQueue(double bytes_per_s) : bytes_per_s_(bytes_per_s) {}

  /// How long a message takes that waits for no other.
  Duration alone(Bytes bytes) const { return Network::transmission_time(bytes, bytes_per_s_); }
  /// When a message is through that comes at `at`, later than all before it.
  Time leaves(Time at, Bytes bytes) { return free_ = saturated(std::max(at, free_), alone(bytes)); }
  /// Whether messages can wait here. One so small that its time is 0 ns has its turn all the same.
  bool is_limited() const { return std::isfinite(bytes_per_s_); }

 private:
  double bytes_per_s_;
  Time free_;  // when the last message is through
};

/// The queues of all agents and links under Sharing::fifo: a message passes its sender's interface, the link, and after
/// the latency its receiver's interface.
class LinkQueues {
 public:
  explicit LinkQueues(const Network& network) {
    for (AgentId id = 0; id < network.agents(); ++id) {
      up_.emplace_back(network.interface(id).up_bytes_per_s);
      down_.emplace_back(network.interface(id).down_bytes_per_s);
    }
    links_.reserve(network.links());
    for (LinkId id = 0; id < network.links(); ++id) links_.emplace_back(network.bandwidth_bytes_per_s(id));
  }

  /// When a message is over the link, but for its latency. Calls are in the order in which an agent sends.
  Time leaves(AgentId from, LinkId link, Time now, Bytes bytes) {
    return links_[link].leaves(up_[from].leaves(now, bytes), bytes);
  }
  /// The same up to the agent itself for a message that waits for no other, without the latency.
  Duration alone(AgentId from, LinkId link, AgentId to, Bytes bytes) const {
    return up_[from].alone(bytes) + links_[link].alone(bytes) + down_[to].alone(bytes);
  }
  /// The interface that messages to an agent pass in the order in which they come to it.
  LinkQueue& entry(AgentId to) { return down_[to]; }

 private:
  std::vector<LinkQueue> up_, links_, down_;
};

}  // namespace lagnet
