#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/sim_event.hpp"
#include "sim/base/types.hpp"
#include "sim/machine/huge_pages.hpp"
#include "sim/machine/processor.hpp"

namespace lagnet {

/// The parameters of a directed link.
struct LinkSpec {
  AgentId from = 0;
  AgentId to = 0;
  Duration latency;
  double bandwidth_bytes_per_s = std::numeric_limits<double>::infinity();
};

/// A directed link as its sender sees it.
struct Link {
  AgentId to = 0;
  std::uint32_t slot_at_receiver = 0;  // the sender's place among the receiver's in_neighbors()
  Duration latency;
  double narrowest_bytes_per_s = 0;  // the lowest bandwidth: of the link and the interfaces at its ends
};

/// An agent's bandwidth for sending and receiving over all its links.
struct Interface {
  double up_bytes_per_s = std::numeric_limits<double>::infinity();
  double down_bytes_per_s = std::numeric_limits<double>::infinity();
};

/// Whether each link must have its opposite.
enum class LinkDirections : bool { both, any };

/// Says who can send to whom, and how fast. Copies share the links, which never change.
class Network {
 public:
  /// Links in any order; `interfaces` is empty or has one for each agent. Throws std::invalid_argument, naming each
  /// link that joins an agent to itself, ends outside the agents, occurs twice, lacks a required opposite, or has a
  /// negative latency, and each bandwidth that is not positive.
  Network(AgentId agents, std::vector<LinkSpec> links, std::vector<Interface> interfaces = {},
          LinkDirections directions = LinkDirections::both);

  AgentId agents() const { return agents_; }
  LinkId links() const { return first_[agents_]; }
  /// The links out of an agent, by ascending receiver; their ids count up from first_link(agent).
  std::span<const Link> links_of(AgentId agent) const { return {links_ + first_[agent], links_ + first_[agent + 1]}; }
  /// Whom an agent has links to, ascending.
  std::span<const AgentId> neighbors(AgentId agent) const {
    return {neighbors_ + first_[agent], neighbors_ + first_[agent + 1]};
  }
  /// Who has links to an agent, ascending: its neighbors, unless links go one way.
  std::span<const AgentId> in_neighbors(AgentId agent) const {
    return {in_neighbors_ + in_first_[agent], in_neighbors_ + in_first_[agent + 1]};
  }
  /// Whether some link has no opposite.
  bool is_directed() const { return in_first_ != first_; }
  LinkId first_link(AgentId agent) const { return first_[agent]; }
  /// The link between two agents, or no_link; ids may be those of no agent.
  LinkId find(AgentId from, AgentId to) const {
    if (from >= agents()) return no_link;
    const AgentId* place = neighbors_ + first_[from];  // where it is if it is among `count` from there
    LinkId count = first_[from + 1] - first_[from];
    for (LinkId half; count > 1; count -= half) {
      half = count / 2;
      place += half * LinkId{place[half - 1] < to};  // no branch, which would be mispredicted
    }
    return count == 1 && *place == to ? static_cast<LinkId>(place - neighbors_) : no_link;
  }
  const Link& link(LinkId id) const { return links_[id]; }
  /// The bandwidth of the link, without its interfaces.
  double bandwidth_bytes_per_s(LinkId id) const {
    return bandwidths_ ? bandwidths_[id] : links_[id].narrowest_bytes_per_s;
  }

  /// Fetches what links_of, neighbors and find will read, in two steps.
  void prefetch_first(AgentId agent) const { prefetch(&first_[agent]); }
  void prefetch_links(AgentId agent) const {
    prefetch(&links_[first_[agent]]);
    prefetch(&neighbors_[first_[agent]]);
  }

  AgentId sender(LinkId id) const;
  const Interface& interface(AgentId agent) const { return interfaces_.empty() ? unlimited_ : interfaces_[agent]; }

  /// How long a message takes that shares no bandwidth, to the nearest nanosecond.
  static Duration travel_time(const Link& link, Bytes size) {
    if (link.narrowest_bytes_per_s == std::numeric_limits<double>::infinity()) return link.latency;
    return link.latency + transmission_time(size, link.narrowest_bytes_per_s);
  }
  static Duration transmission_time(Bytes size, double bytes_per_s) {
    return Duration::seconds(static_cast<double>(size) / bytes_per_s);
  }

 private:
  struct Storage {
    HugePageVector<LinkId> first;  // of each agent; one more at the end
    HugePageVector<Link> links;
    HugePageVector<AgentId> neighbors;
    HugePageVector<LinkId> in_first;  // where some link has no opposite; else empty, like the next one
    HugePageVector<AgentId> in_neighbors;
    std::vector<double> bandwidths;  // of the links, where there are interfaces
  };
  static void list_in_neighbors(Storage& storage);
  std::shared_ptr<const Storage> storage_;
  AgentId agents_;
  const LinkId* first_;  // the vectors of the storage
  const Link* links_;
  const AgentId* neighbors_;
  const LinkId* in_first_;  // first_ and neighbors_ themselves where each link has its opposite
  const AgentId* in_neighbors_;
  const double* bandwidths_ = nullptr;
  std::vector<Interface> interfaces_;
  Interface unlimited_;
};

}  // namespace lagnet
