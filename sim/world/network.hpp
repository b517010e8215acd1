#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "sim/base/sim_event.hpp"
#include "sim/base/types.hpp"
#include "sim/machine/huge_pages.hpp"
#include "sim/machine/processor.hpp"
#include "sim/world/schedule.hpp"
#include "sim/world/window.hpp"

namespace lagnet {

/// How much may wait at an interface or a link under Sharing::fifo, and what happens to more.
struct QueueLimit {
  enum class WhenFull {
    drop_tail,    // what comes is lost
    drop_oldest,  // what has waited longest is lost
    backpressure  // messages stay at their sender until there is room
  };
  std::optional<Bytes> bytes;
  std::optional<std::int64_t> messages;
  WhenFull full = WhenFull::drop_tail;
  /// Whether so much may wait.
  bool has_room_for(Bytes waiting_bytes, std::int64_t waiting_messages) const {
    return !(bytes && waiting_bytes > *bytes) && !(messages && waiting_messages > *messages);
  }
};

/// The probability that a message is lost on a link: constant, or as a schedule has it; and when the link is off.
struct LinkLoss {
  double probability = 0;
  std::shared_ptr<const Schedule> schedule;
  std::vector<Window> off = {};
  double at(Time t) const { return schedule ? schedule->at(t) : probability; }
  bool is_off(Time t) const {
    return std::ranges::any_of(off, [t](const Window& window) { return window.contains(t); });
  }
};

/// The parameters of a directed link. A schedule, if there is one, is in place of the number, which is its value at 0,
/// of a bandwidth the first one above 0.
struct LinkSpec {
  AgentId from = 0;
  AgentId to = 0;
  Duration latency;
  double bandwidth_bytes_per_s = std::numeric_limits<double>::infinity();
  std::uint32_t route = 0;  // that of Underlay::routes behind which the link lies
  std::shared_ptr<const Schedule> latency_ns, bandwidth;
  std::shared_ptr<const QueueLimit> queue;  // null: no limit
  LinkLoss loss;
};

/// A directed link as its sender sees it.
struct Link {
  AgentId to = 0;
  std::uint32_t slot_at_receiver = 0;  // the sender's place among the receiver's in_neighbors()
  Duration latency;                    // of the whole path, at time 0
  double narrowest_bytes_per_s = 0;    // the lowest rate() of the path, with the interfaces at its ends
};

/// An agent's bandwidth for sending and receiving over all its links.
struct Interface {
  double up_bytes_per_s = std::numeric_limits<double>::infinity();
  double down_bytes_per_s = std::numeric_limits<double>::infinity();
  std::shared_ptr<const Schedule> up, down;  // in place of the numbers, as for LinkSpec
  std::shared_ptr<const QueueLimit> up_queue, down_queue;
};

/// What lies between agents, and many of their links can use: links of the network beneath them, and media.
struct Underlay {
  struct InnerLink {  // one direction, or both if they share its bandwidth
    Duration latency;
    double bandwidth_bytes_per_s = std::numeric_limits<double>::infinity();
    std::shared_ptr<const Schedule> latency_ns, bandwidth;
    std::shared_ptr<const QueueLimit> queue;
    LinkLoss loss;
    double joules_per_byte = 0;
    std::string name;
  };
  /// A radio cell or a bus: one message at a time, whoever sends it. A link of a member has no transmission of its own;
  /// its bandwidth is the highest rate in the medium.
  struct Medium {
    std::vector<AgentId> agents;
    double bandwidth_bytes_per_s = std::numeric_limits<double>::infinity();
    Duration overhead;             // of each message
    bool relays = false;           // members reach each other through an access point, by two transmissions
    bool broadcasts_once = false;  // one transmission reaches all members
    std::string name;
  };
  /// What departs from a moment on takes these routes in place of `routes`; no_route: it is lost at once.
  struct Detours {
    Time from;
    std::vector<std::uint32_t> routes;
  };
  static constexpr std::uint32_t no_route = ~std::uint32_t{0};
  std::vector<InnerLink> links;
  std::vector<std::vector<std::uint32_t>> routes;  // the inner links of each, in order
  std::vector<Detours> detours;                    // by ascending moments; links have the first ones of `routes`
  std::vector<Medium> media;                       // of disjoint agents
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
          LinkDirections directions = LinkDirections::both, const Underlay& underlay = {});

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
  /// The links out of an agent in the order of a broadcast: by ascending receiver, or beginning with the first receiver
  /// of higher number than its own.
  auto links_from(AgentId agent, bool is_rotated) const {
    const auto count = static_cast<LinkId>(links_of(agent).size());
    const LinkId first = first_[agent];
    const LinkId begin =
        is_rotated ? static_cast<LinkId>(std::ranges::lower_bound(neighbors(agent), agent) - neighbors(agent).begin())
                   : 0;
    return std::views::iota(LinkId{0}, count) |
           std::views::transform([=](LinkId k) { return first + (begin + k) % count; });
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

  // What messages share, as resources: the interfaces up and down, the links, the inner links, the media.
  ResourceId up(AgentId agent) const { return agent; }
  ResourceId down(AgentId agent) const { return agents_ + agent; }
  ResourceId over(LinkId link) const { return 2 * agents_ + link; }
  ResourceId inner(std::uint32_t link) const { return over(links()) + link; }
  ResourceId medium(std::uint32_t medium) const {
    return inner(static_cast<std::uint32_t>(storage_->inner.size())) + medium;
  }
  ResourceId resources() const { return medium(static_cast<std::uint32_t>(storage_->media.size())); }
  bool is_medium(ResourceId id) const { return id >= first_medium_; }
  /// Whether a latency passes after it.
  bool is_link(ResourceId id) const { return id >= over(0) && !is_medium(id); }
  /// How many resources a message of the link passes, and which one comes at this place: its sender's interface, its
  /// sender's medium, inner links, the link, its receiver's medium, its receiver's interface.
  std::size_t path_length(LinkId path) const { return is_flat() ? 3 : path_begins_[path + 1] - path_begins_[path]; }
  ResourceId on_path(AgentId from, LinkId path, std::size_t place) const {
    if (!is_flat()) return storage_->paths[path_begins_[path] + place];
    return place == 0 ? up(from) : place == 1 ? over(path) : down(links_[path].to);
  }
  /// The path of what departs over a link at a moment. It is the number of the link, unless it is another one then: a
  /// number beyond those of links. Where nothing leads to the receiver then, its length is 0.
  LinkId path(LinkId link, Time departure) const { return reroutes() ? detour(link, departure) : link; }
  bool reroutes() const { return has_detours_; }
  /// How many paths there are, those of the links first.
  LinkId paths() const { return is_flat() ? links() : static_cast<LinkId>(storage_->path_begins.size() - 1); }
  /// Whether a message passes nothing but interfaces and its link.
  bool is_flat() const { return !path_begins_; }
  bool has_media() const { return !storage_->media.empty(); }
  /// Of an inner link or a medium.
  const std::string& inner_name(ResourceId id) const {
    return is_medium(id) ? medium_of(id).name : storage_->inner[id - inner(0)].name;
  }
  const Underlay::Medium& medium_of(ResourceId id) const { return storage_->media[id - medium(0)]; }
  /// That the agent is in; null: none.
  const Underlay::Medium* medium_of_agent(AgentId agent) const;
  /// Whether messages of a link go through a medium, which does the work of the link.
  bool passes_medium(LinkId link) const;
  /// The rate of a link in a medium.
  double radio_bytes_per_s(const Underlay::Medium& medium, LinkId link) const {
    return std::min(medium.bandwidth_bytes_per_s, bandwidth_bytes_per_s(link));
  }
  /// The same of a message that is alone there: half of it, if the medium is twice on the link's path.
  double alone_bytes_per_s(ResourceId medium, LinkId link) const;
  /// What may wait there; null: anything.
  const QueueLimit* queue(ResourceId id) const {
    const auto found = storage_->queues.find(id);
    return found == storage_->queues.end() ? nullptr : found->second.get();
  }
  bool has_queues() const { return !storage_->queues.empty(); }
  /// Of a link or inner link that loses messages; null: it loses none.
  const LinkLoss* loss(ResourceId id) const {
    const auto found = storage_->losses.find(id);
    return found == storage_->losses.end() ? nullptr : &found->second;
  }
  bool has_losses() const { return !storage_->losses.empty(); }
  /// The bandwidth at the beginning; of one that begins at 0 the first one above.
  double rate(ResourceId id) const;
  /// The bandwidth if it changes, else null.
  const Schedule* schedule(ResourceId id) const {
    return storage_->rates.empty() ? nullptr : storage_->rates[id].get();
  }
  /// Likewise, with which a message of this link has a resource of its path for itself: in a medium that of the pair. A
  /// link through a medium has no work of its own.
  double rate(ResourceId id, LinkId link) const;
  /// Whether it limits, delays or loses messages.
  bool has_effect(ResourceId id) const;
  /// Whether the latency of a link or inner link changes.
  bool latency_changes(ResourceId id) const { return has_schedules_ && storage_->latency_schedules[id]; }
  /// Of a link or inner link alone, for what leaves it at `at`.
  Duration latency(ResourceId id, Time at) const {
    return is_flat() && !has_schedules_ ? links_[id - over(0)].latency : latency_by_lists(id, at);
  }
  /// The sum of the latencies and the narrowest bandwidth of a path, or of its first places, at a moment; in place of 0
  /// the next one above.
  struct PathNow {
    Duration latency;
    double bytes_per_s = 0;
  };
  PathNow path_at(LinkId link, Time now) const {
    const LinkId now_taken = path(link, now);
    return path_at(link, now_taken, now, path_length(now_taken));
  }
  PathNow path_at(LinkId link, LinkId path_taken, Time now, std::size_t places) const;
  /// When bytes are through that begin at `begin` and pass all of these places at once, with nothing else there; at
  /// most `latest`.
  Time through_alone(LinkId link, LinkId path_taken, std::size_t places, Time begin, Bytes bytes, Time latest) const;
  bool has_schedules() const { return has_schedules_; }
  /// The energy of a byte on the inner links beneath a link.
  double inner_joules_per_byte(LinkId link) const;

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
    std::vector<double> bandwidths;  // of the links, where there are interfaces or inner links
    // Where there are inner links or media:
    std::vector<std::uint32_t> medium_of;  // of each agent, no_medium if it is in none
    std::vector<Underlay::InnerLink> inner;
    std::vector<Underlay::Medium> media;
    std::vector<std::size_t> path_begins;  // of each path in `paths`, those of links first; one more at the end
    std::vector<Time> detour_begins;
    std::vector<std::size_t> detours_from;     // for each of these moments, a place in the next one
    std::vector<std::vector<LinkId>> detours;  // from then on the path of each link
    std::vector<ResourceId> paths;
    std::vector<Duration> latencies;  // of each link alone
    // Where some bandwidth or latency changes, by resource:
    std::vector<std::shared_ptr<const Schedule>> rates, latency_schedules;
    std::map<ResourceId, std::shared_ptr<const QueueLimit>> queues;
    std::map<ResourceId, LinkLoss> losses;
  };
  static void list_in_neighbors(Storage& storage);
  /// Where there are inner links or media.
  std::span<const ResourceId> listed_path(LinkId path) const {
    return {storage_->paths.data() + path_begins_[path], path_length(path)};
  }
  Duration latency_by_lists(ResourceId id, Time at) const;
  LinkId detour(LinkId link, Time departure) const;
  void lay_path(Storage& storage, const LinkSpec& link, LinkId id, const std::vector<std::uint32_t>* route) const;
  void lay_detours(Storage& storage, const std::vector<LinkSpec>& links, const Underlay& underlay) const;
  void lay_under(Storage& storage, const std::vector<LinkSpec>& links, const Underlay& underlay) const;
  static constexpr std::uint32_t no_medium = ~std::uint32_t{0};
  void set_schedules(Storage& storage, const std::vector<LinkSpec>& links, const Underlay& underlay) const;
  std::shared_ptr<const Storage> storage_;
  AgentId agents_;
  const LinkId* first_;  // the vectors of the storage
  const Link* links_;
  const AgentId* neighbors_;
  const LinkId* in_first_;  // first_ and neighbors_ themselves where each link has its opposite
  const AgentId* in_neighbors_;
  const double* bandwidths_ = nullptr;
  const std::size_t* path_begins_ = nullptr;
  ResourceId first_medium_ = 0;
  bool has_schedules_ = false, has_detours_ = false;
  std::vector<Interface> interfaces_;
  Interface unlimited_;
};

}  // namespace lagnet
