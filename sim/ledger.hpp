#pragma once

#include <map>
#include <vector>

#include "sim/network.hpp"
#include "sim/occurrence.hpp"

namespace lagnet {

/// What one agent has done and suffered so far. A transmission that is lost, and one that is sent again, count for
/// their sender.
struct AgentAccount {
  std::int64_t messages_sent = 0;  // transmissions: with copies and retransmissions
  std::int64_t messages_received = 0;
  std::int64_t messages_lost = 0;
  std::int64_t retransmitted = 0;  // of those sent, the ones after a timeout
  Bytes bytes_sent = 0;
  Bytes bytes_received = 0;
  Bytes bytes_lost = 0;
  std::int64_t late = 0;        // messages that came after their round was closed
  std::int64_t superseded = 0;  // messages dropped for a newer one
  std::int64_t duplicates = 0;  // second copies that came
  std::int64_t dropped = 0;     // messages that the agent asked or waited for and went on without
  std::int64_t stale = 0;       // messages from an earlier round that it used
  Flops flops = 0;
  Duration computing;   // time in computations
  Duration encrypting;  // time in encryption, decryption and addition of ciphertexts
  Duration idle;        // time waiting for messages, up
  Duration sleeping;
  Duration away;          // time it was down in the course of what it did or waited for
  Duration queueing;      // of the messages it received: time that others on the way cost
  Duration transferring;  // of the messages it received: the rest of their time on the way
  std::int64_t hops = 0;  // messages on the longest causal chain that ends here, as of the last report

  AgentAccount& operator+=(const AgentAccount& other);  // hops: the larger one
};

struct LinkAccount {
  std::int64_t messages_sent = 0;
  std::int64_t messages_delivered = 0;
  std::int64_t messages_lost = 0;
  std::int64_t retransmitted = 0;
  Bytes bytes_sent = 0;
  Bytes bytes_delivered = 0;
  Bytes bytes_lost = 0;
  Duration queueing;  // of the messages delivered
  Duration transferring;
};

/// Counts what happens, per agent and per link.
class Ledger : public Listener {
 public:
  Ledger(AgentId agents, LinkId links) : agents_(agents), activities_(agents), links_(links) {}

  void occurred(const Occurrence& what) override;

  const AgentAccount& agent(AgentId id) const { return agents_[id]; }
  /// Computations, ciphers and sleeps are in the account from their start; this is without what lies after a time.
  AgentAccount agent_at(AgentId id, Time now) const;
  /// Takes what lies after the end of the run out of all accounts.
  void end_at(Time end);
  const LinkAccount& link(LinkId id) const { return links_[id]; }
  AgentId agents() const { return static_cast<AgentId>(agents_.size()); }
  LinkId links() const { return static_cast<LinkId>(links_.size()); }
  const AgentAccount& total() const { return total_; }
  /// Sent, and neither delivered nor lost yet.
  std::int64_t messages_in_flight() const {
    return total_.messages_sent - total_.messages_received - total_.messages_lost;
  }
  /// How many messages from earlier rounds were used, by their age in rounds.
  const std::map<Round, std::int64_t>& staleness() const { return staleness_; }

 private:
  struct Activity {  // an agent's last one
    Duration AgentAccount::*account = nullptr;
    Duration billed;
    Time end;
  };
  void cut(AgentId agent, Time now);
  void start(const Occurrence& what, Duration AgentAccount::*account);
  static void add(const Occurrence& what, LinkAccount& link);  // sent, delivered or lost

  std::vector<AgentAccount> agents_;
  std::vector<Activity> activities_;
  std::vector<LinkAccount> links_;
  AgentAccount total_;
  std::map<Round, std::int64_t> staleness_;
};

}  // namespace lagnet
