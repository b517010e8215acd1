#pragma once

#include <limits>
#include <span>
#include <vector>

#include "sim/occurrence.hpp"
#include "sim/types.hpp"

namespace lagnet {

/// What a directed link is made of.
struct LinkSpec {
  AgentId from = 0;
  AgentId to = 0;
  Duration latency;
  double bandwidth_bytes_per_s = std::numeric_limits<double>::infinity();
};

/// A directed link as its sender sees it.
struct Link {
  AgentId to = 0;
  std::uint32_t slot_at_receiver = 0;  // the sender's place among the receiver's neighbors
  Duration latency;
  double bandwidth_bytes_per_s = 0;
};

/// Who can send to whom, and how long a message is on its way. Every link has its opposite. Each message travels
/// alone (sharing "none"): it arrives at send time + bytes/bandwidth + latency, so a link carries many at once.
class Network {
 public:
  /// Links in any order. Throws std::invalid_argument, naming each link that joins an agent to itself, ends outside the
  /// agents, stands twice, has no opposite, or has a negative latency or a bandwidth that is not positive.
  Network(AgentId agents, std::vector<LinkSpec> links);

  AgentId agents() const { return static_cast<AgentId>(first_.size() - 1); }
  LinkId links() const { return static_cast<LinkId>(links_.size()); }
  /// The links out of an agent, by ascending receiver; their ids count up from first_link(agent).
  std::span<const Link> links_of(AgentId agent) const {
    return {links_.data() + first_[agent], links_.data() + first_[agent + 1]};
  }
  std::span<const AgentId> neighbors(AgentId agent) const {
    return {neighbors_.data() + first_[agent], neighbors_.data() + first_[agent + 1]};
  }
  LinkId first_link(AgentId agent) const { return first_[agent]; }
  /// The link between two agents, or no_link; also for ids that are no agents.
  LinkId find(AgentId from, AgentId to) const;
  const Link& link(LinkId id) const { return links_[id]; }

  /// How long a message takes, to the nearest nanosecond.
  static Duration travel_time(const Link& link, Bytes size) {
    return link.latency + Duration::seconds(static_cast<double>(size) / link.bandwidth_bytes_per_s);
  }

 private:
  std::vector<LinkId> first_;  // of each agent; one more at the end
  std::vector<Link> links_;
  std::vector<AgentId> neighbors_;
};

}  // namespace lagnet
