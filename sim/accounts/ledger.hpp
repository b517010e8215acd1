#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/sim_event.hpp"
#include "sim/machine/huge_pages.hpp"
#include "sim/world/availability.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// How often each of some ages occurred. Adding one takes the time of writing it down: ages are sorted and counted when
/// as many have come as there are counts.
class AgeCounts {
 public:
  void add(std::int64_t age) {
    recent_.push_back(age);
    if (recent_.size() >= fewest_recent + 2 * counts_.size()) merge();
  }
  bool empty() const { return counts_.empty() && recent_.empty(); }
  void add_to(std::map<std::int64_t, std::int64_t>& all) const {
    for (const auto& [age, count] : counts_) all[age] += count;
    for (const std::int64_t age : recent_) ++all[age];
  }

 private:
  static constexpr std::size_t fewest_recent = 16;

  [[gnu::noinline]] void merge() {
    std::ranges::sort(recent_);
    std::vector<std::pair<std::int64_t, std::int64_t>> merged;
    merged.reserve(counts_.size() + recent_.size());
    auto counted = counts_.begin();
    for (const std::int64_t age : recent_) {
      while (counted != counts_.end() && counted->first <= age) merged.push_back(*counted++);
      if (merged.empty() || merged.back().first != age) merged.emplace_back(age, 0);
      ++merged.back().second;
    }
    merged.insert(merged.end(), counted, counts_.end());
    counts_ = std::move(merged);
    recent_.clear();
  }

  std::vector<std::pair<std::int64_t, std::int64_t>> counts_;  // ascending by age
  std::vector<std::int64_t> recent_;                           // as they came
};

/// The account of one agent so far. A lost transmission and a repeated one both count for their sender. The counts that
/// every message changes come first, so that they lie in one cache line.
struct AgentWork {
  std::int64_t messages_sent = 0;  // transmissions: with copies and retransmissions
  Bytes bytes_sent = 0;
  std::int64_t messages_received = 0;
  Bytes bytes_received = 0;
  Duration queueing;      // what its interface and outgoing links cost messages that came, for others on them
  Duration transferring;  // of the messages it received: their time on the way without such waits
  Duration idle;          // time waiting for messages, up; before the end of the run in waits that are over
  Duration away;          // time down during its activities and waits
  Flops flops = 0;
  Duration computing;   // time in computations
  Duration encrypting;  // time in encryption, decryption and addition of ciphertexts
  Duration sleeping;
  std::int64_t hops = 0;  // messages on the longest causal chain that ends here, as of the last report
};
/// Counts of what did not go as it should.
struct AgentMishaps {
  std::int64_t messages_lost = 0;
  Bytes bytes_lost = 0;
  std::int64_t retransmitted = 0;  // of those sent, the ones after a timeout
  std::int64_t late = 0;           // messages that came after their round was closed
  std::int64_t superseded = 0;     // messages dropped for a newer one
  std::int64_t duplicates = 0;     // second copies that came
  std::int64_t dropped = 0;        // messages that the agent asked or waited for and went on without
  std::int64_t stale = 0;          // messages from an earlier round that it used
  std::int64_t missed_ticks = 0;   // of its clock, while it was down or busy
};
struct AgentAccount : AgentWork, AgentMishaps {
  AgentAccount& operator+=(const AgentWork& other);  // hops: the larger one
  AgentAccount& operator+=(const AgentMishaps& other);
  AgentAccount& operator+=(const AgentAccount& other);
};

/// Traffic of a link that went as it should.
struct LinkTraffic {
  std::int64_t messages_sent = 0;
  Bytes bytes_sent = 0;
  std::int64_t messages_delivered = 0;
  Bytes bytes_delivered = 0;
  Duration queueing;  // of the messages delivered
  Duration transferring;
};
/// Losses and repetitions on a link.
struct LinkLosses {
  std::int64_t messages_lost = 0;
  Bytes bytes_lost = 0;
  std::int64_t retransmitted = 0;
};
struct LinkAccount : LinkTraffic, LinkLosses {};

/// Counts what happens, per agent and per link.
class Ledger : public Listener {
 public:
  /// `availability` gives the progress of an activity of an agent that may be away; null: all agents are always up.
  Ledger(AgentId agents, LinkId links, std::shared_ptr<const Availability> availability = nullptr)
      : agents_(agents), links_(links), availability_(std::move(availability)) {}

  void on_event(const SimEvent& what) override;
  void fetch_ahead(AgentId agent, LinkId link) const override;
  void fetch_what_follows(AgentId agent, LinkId first) const override;

  AgentAccount agent(AgentId id) const { return {agents_[id].work, mishaps_.empty() ? AgentMishaps() : mishaps_[id]}; }
  /// The account bills a computation, cipher or sleep, with the time away during it, when it starts. This leaves out
  /// the part that lies after a time.
  AgentAccount agent_at(AgentId id, Time now) const;
  void add_at(AgentId id, Time now, AgentAccount& sum) const;  // the same, added to it
  /// Keeps what all accounts are at this moment, until the next one is kept: each agent's is copied when it changes. So
  /// moments that follow each other fast, and few of which are asked for, take no time in proportion to the agents.
  void keep(Time now);
  /// The accounts at that moment added up, each as add_at() has it; and of the agent with the most the flops.
  struct Totals {
    AgentAccount total;
    Flops flops_per_agent_max = 0;
  };
  Totals kept_totals() const;  // takes time in proportion to the agents
  /// Removes what lies after the end of the run from all accounts. Nothing is kept any more.
  void end_at(Time end);
  LinkAccount link(LinkId id) const { return {links_[id], losses_.empty() ? LinkLosses() : losses_[id]}; }
  AgentId agents() const { return static_cast<AgentId>(agents_.size()); }
  LinkId links() const { return static_cast<LinkId>(links_.size()); }
  AgentAccount total() const;  // takes time in proportion to the agents
  /// Messages sent and neither delivered nor lost yet; takes as long as total().
  std::int64_t messages_in_flight() const;
  /// How often something of an agent was used, by how old it was in rounds or updates: messages from earlier rounds,
  /// and what updates used without rounds, of age 0 as well.
  std::map<std::int64_t, std::int64_t> staleness() const;
  /// The same of one agent that updates used.
  std::map<std::int64_t, std::int64_t> staleness_of(AgentId agent) const;
  /// Answers of each agent that others counted in rounds that they collected.
  std::vector<std::int64_t> answers() const;
  /// The number of times that an agent lost its state by a crash and began again.
  std::int64_t restarts() const { return restarts_; }
  bool has_staleness_of(AgentId agent) const { return !used_.empty() && !used_[agent].empty(); }
  bool wants(EventKind what) const override { return what != EventKind::took; }

 private:
  struct Activity {  // an agent's last one
    Duration AgentWork::*account = nullptr;
    Duration billed;
    Time began;
  };
  struct alignas(64) Kept {  // two cache lines
    AgentWork work;
    Activity activity;
  };
  static_assert(sizeof(Kept) == 128);

  struct Copy {
    AgentId agent = 0;
    AgentWork work;
    Activity activity;
    AgentMishaps mishaps;
  };

  AgentWork work_at(AgentId id, AgentWork work, const Activity& activity, Time now) const;
  void copy_once(AgentId agent);
  void cut(AgentId agent, Time now);
  void start(const SimEvent& what, Duration AgentWork::*account);
  AgentMishaps& mishaps(AgentId agent);
  void bill_queues(const SimEvent& what);  // a message's waits: the sender's up-link and link, the receiver's down-link
  void count_stale(const SimEvent& what);
  void count_used(const SimEvent& what);
  void count_answers(const SimEvent& what);
  void add_to_link(const SimEvent& what);  // sent, delivered or lost
  LinkLosses& losses(LinkId link);

  HugePageVector<Kept> agents_;
  HugePageVector<LinkTraffic> links_;
  std::shared_ptr<const Availability> availability_;
  std::vector<AgentMishaps> mishaps_;  // of the agents, once there are some
  std::vector<LinkLosses> losses_;     // of the links, once there are some
  std::map<std::int64_t, std::int64_t> stale_;
  std::vector<AgeCounts> used_;             // of the agents, once there is something
  std::vector<std::int64_t> answer_steps_;  // likewise: how many more answers than of the agent before
  std::int64_t restarts_ = 0;

  Time kept_at_;
  std::uint64_t keeps_ = 0;                  // moments kept so far
  HugePageVector<std::uint64_t> copied_in_;  // of the agents, once one is kept: the last of them whose copy there is
  std::vector<Copy> copies_;                 // of the present one
};

}  // namespace lagnet
