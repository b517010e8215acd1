#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sim/machine/processor.hpp"
#include "sim/transport/resource.hpp"
#include "sim/transport/resource_accounts.hpp"
#include "sim/world/network.hpp"
#include "sim/world/world_model.hpp"

namespace lagnet {

/// A message on its way under Sharing::fifo.
struct Traveler {
  std::uint32_t number = 0;  // the caller's
  LinkId link = no_link;
  AgentId from = 0;
  AgentId to = 0;
  Bytes bytes = 0;
  double radio_bytes_per_s = 0;  // in a medium, if it is not that of its link
  Duration delay;                // after its link, beside the latency
  Duration stall;                // the same of its last bit alone
  Duration held_back;            // the same, and others overtake it
  LinkId path = no_link;         // that it takes since it has set out
  bool is_lost = false;          // it goes no further than over its link, or over one that loses it
  std::uint32_t place = 0;       // what it passes next: a place of its path
  bool is_over = false;          // its link, or one that has lost it
  Passage at;                    // its first and last bit there
  Time came;                     // when its first bit came there
  Duration queued_there;         // what others at the receiver's interface have cost
};

/// Takes messages over their paths under Sharing::fifo. The latency of a link passes after it. What others feed as well
/// is entered in the order in which messages come to it: a traveler waits there until next(). The caller lets travelers
/// enter in that order, those of one time by sender and by the order of sending.
class Walk {
 public:
  /// Of a network that outlives it, in a world with this sharing, forwarding, order and transport.
  Walk(const Network& network, const WorldModel& model);

  /// Asks for each traveler that leaves a link so whether it is lost there; none are if this is not called.
  void lose_if(std::function<bool(const Traveler&, ResourceId, Passage)> is_lost) { is_lost_ = std::move(is_lost); }

  /// Accounts for what passes from now on, in accounts that outlive it.
  void account_in(ResourceAccounts& accounts) { accounts_ = &accounts; }
  /// The time from which on calls come, for the accounts.
  void set_now(Time now) { now_ = now; }

  /// Lets a traveler set out, of which the fields before `place` are given, and pass what only its sender feeds. Calls
  /// for one sender are in the order in which it sends.
  void depart(Traveler& it, Time ready);
  /// Lets it pass what it waits for, and all after that until it has to wait again or has arrived.
  void enter(Traveler& it);
  /// Lets a traveler that has set out with another one go on by itself, behind the medium that was passed last.
  void follow(Traveler& it);
  bool has_arrived(const Traveler& it) const {
    return (it.is_lost && it.is_over) || it.place == network_.path_length(it.path);
  }
  /// What it passes next.
  ResourceId resource(const Traveler& it) const { return network_.on_path(it.from, it.path, it.place); }
  /// When that can begin with another message.
  Time free(ResourceId id) const { return resources_[id].free(); }
  void prefetch_resource(ResourceId id) const {
    prefetch(resources_.data() + id);
    if (is_cut_through_) prefetch(backlogs_.data() + id, sizeof(Backlog));
  }
  /// When it enters what it waits for, or is there.
  Time next(const Traveler& it) const { return is_cut_through_ && !has_arrived(it) ? it.at.first : it.at.last; }
  /// How long the way takes for a traveler that sets out at `ready` and waits for no other.
  Duration alone(const Traveler& it, Time ready);

 private:
  double work(const Traveler& it, ResourceId at) const;
  bool has_queue(ResourceId id) const { return has_queues_ && network_.queue(id); }
  bool is_shared(const Traveler& it, ResourceId id) const;
  bool is_last_place(const Traveler& it) const { return it.place + 1 == network_.path_length(it.path); }
  void transmit(Traveler& it, ResourceId id);
  void pass(Traveler& it, ResourceId id);
  Passage behind_medium_;  // of the traveler that passed one last
  void add_latency(Traveler& it, ResourceId after, bool is_alone);
  void go_on(Traveler& it);

  const Network& network_;
  std::function<bool(const Traveler&, ResourceId, Passage)> is_lost_;
  ResourceAccounts* accounts_ = nullptr;
  Time now_;
  const bool is_cut_through_;
  const bool is_constant_;  // rates and latencies, and that of a link is its own
  const bool has_queues_;
  const bool departures_wait_;  // for handshakes, so that a sender's messages do not set out in the order of sending
  std::vector<Resource> resources_;  // by ResourceId
  std::vector<Backlog> backlogs_;    // likewise, where the first bits of messages go ahead
  std::vector<char> first_matters_;  // likewise, whether it does for any message when they leave
  std::vector<Passage> latest_;      // of each link, where messages could overtake others and must not
};

}  // namespace lagnet
