#pragma once

#include <vector>

#include "sim/network.hpp"
#include "sim/occurrence.hpp"

namespace lagnet {

/// What one agent has done and suffered so far.
struct AgentAccount {
  std::int64_t messages_sent = 0;
  std::int64_t messages_received = 0;
  Bytes bytes_sent = 0;
  Bytes bytes_received = 0;
  Flops flops = 0;
  Duration computing;  // time in computations
  Duration idle;       // time waiting for messages
  Duration sleeping;
  std::int64_t late = 0;        // messages that came after their round was closed
  std::int64_t superseded = 0;  // messages dropped for a newer one
  std::int64_t hops = 0;        // messages on the longest causal chain that ends here, as of the last report

  AgentAccount& operator+=(const AgentAccount& other);  // hops: the larger one
};

struct LinkAccount {
  std::int64_t messages_sent = 0;
  std::int64_t messages_delivered = 0;
  Bytes bytes_sent = 0;
  Bytes bytes_delivered = 0;
};

/// Counts what happens, per agent and per link.
class Ledger : public Listener {
 public:
  Ledger(AgentId agents, LinkId links) : agents_(agents), links_(links) {}

  void occurred(const Occurrence& what) override;

  const AgentAccount& agent(AgentId id) const { return agents_[id]; }
  const LinkAccount& link(LinkId id) const { return links_[id]; }
  AgentId agents() const { return static_cast<AgentId>(agents_.size()); }
  LinkId links() const { return static_cast<LinkId>(links_.size()); }
  const AgentAccount& total() const { return total_; }
  /// Sent and not yet delivered.
  std::int64_t messages_in_flight() const { return total_.messages_sent - total_.messages_received; }

 private:
  void add(const Occurrence& what, AgentAccount& account);

  std::vector<AgentAccount> agents_;
  std::vector<LinkAccount> links_;
  AgentAccount total_;
};

}  // namespace lagnet
