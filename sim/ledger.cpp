#include "sim/ledger.hpp"

#include <algorithm>

#include "sim/errors.hpp"

namespace lagnet {

AgentAccount& AgentAccount::operator+=(const AgentAccount& other) {
  messages_sent += other.messages_sent;
  messages_received += other.messages_received;
  messages_lost += other.messages_lost;
  retransmitted += other.retransmitted;
  bytes_sent += other.bytes_sent;
  bytes_received += other.bytes_received;
  bytes_lost += other.bytes_lost;
  late += other.late;
  superseded += other.superseded;
  duplicates += other.duplicates;
  dropped += other.dropped;
  stale += other.stale;
  flops += other.flops;
  computing += other.computing;
  encrypting += other.encrypting;
  idle += other.idle;
  sleeping += other.sleeping;
  away += other.away;
  queueing += other.queueing;
  transferring += other.transferring;
  hops = std::max(hops, other.hops);
  return *this;
}

// Parts that few occurrences need are not inlined into those that every message takes, which then save fewer registers.

AgentAccount Ledger::agent_at(AgentId id, Time now) const {
  AgentAccount account = agents_[id];
  const Activity& activity = activities_[id];
  if (activity.account && activity.end > now)
    account.*activity.account = account.*activity.account - std::min(activity.billed, activity.end - now);
  return account;
}

[[gnu::noinline]] void Ledger::cut(AgentId agent, Time now) {
  agents_[agent] = agent_at(agent, now);
  activities_[agent] = Activity();
}

[[gnu::noinline]] void Ledger::count_stale(const Occurrence& what) {
  ++staleness_[what.amount];
  ++agents_[what.agent].stale;
}

void Ledger::end_at(Time end) {
  for (AgentId agent = 0; agent < agents(); ++agent) cut(agent, end);
}

[[gnu::noinline]] void Ledger::start(const Occurrence& what, Duration AgentAccount::*account) {
  agents_[what.agent].*account += what.duration;
  activities_[what.agent] = {account, what.duration, saturated(what.at, what.duration)};
}

void Ledger::occurred(const Occurrence& what) {
  AgentAccount& agent = agents_[what.agent];
  switch (what.what) {
    case What::sent:
      ++agent.messages_sent;
      agent.bytes_sent += what.amount;
      if (what.cause == Cause::retransmission) ++agent.retransmitted;
      return add_to_link(what);
    case What::delivered:
      ++agent.messages_received;
      agent.bytes_received += what.amount;
      agent.queueing += what.queued;
      agent.transferring += what.duration - what.queued;
      return add_to_link(what);
    case What::lost:
      ++agent.messages_lost;
      agent.bytes_lost += what.amount;
      return add_to_link(what);
    case What::late:
      agent.late += what.amount;
      return;
    case What::superseded:
      agent.superseded += what.amount;
      return;
    case What::duplicate:
      agent.duplicates += what.amount;
      return;
    case What::dropped:
      agent.dropped += what.amount;
      return;
    case What::stale:
      return count_stale(what);
    case What::computed:
      agent.flops += what.amount;
      return start(what, &AgentAccount::computing);
    case What::encrypted:
      return start(what, &AgentAccount::encrypting);
    case What::slept:
      return start(what, &AgentAccount::sleeping);
    case What::waited:
      agent.idle += what.duration - Duration::nanoseconds(what.amount);
      agent.away += Duration::nanoseconds(what.amount);
      return;
    case What::away: {  // in the course of an activity, which ends so much later
      Activity& activity = activities_[what.agent];
      activity.end = saturated(activity.end, what.duration);
      agent.away += what.duration;
      return;
    }
    case What::restarted:
      return cut(what.agent, what.at);
    case What::reported:
      agent.hops = std::max(agent.hops, what.amount);
      return;
    case What::collected:
      return;
  }
}

void Ledger::fetch_ahead(AgentId agent, LinkId link) const {
  __builtin_prefetch(&agents_[agent]);
  if (link < links_.size()) __builtin_prefetch(&links_[link]);
}

void Ledger::fetch_what_follows(AgentId agent, LinkId first) const {
  __builtin_prefetch(&agents_[agent].flops);  // in its second line
  __builtin_prefetch(&activities_[agent]);
  for (const LinkId id : {first, first + 1})
    if (id < links_.size()) __builtin_prefetch(&links_[id]);
}

AgentAccount Ledger::total() const {
  AgentAccount sum;
  for (const AgentAccount& agent : agents_) sum += agent;
  return sum;
}

std::int64_t Ledger::messages_in_flight() const {
  const AgentAccount all = total();
  return all.messages_sent - all.messages_received - all.messages_lost;
}

[[gnu::noinline]] LinkLosses& Ledger::losses(LinkId link) {
  if (losses_.empty()) losses_.resize(links_.size());
  return losses_[link];
}

void Ledger::add_to_link(const Occurrence& what) {
  LinkTraffic& link = links_[what.link];
  if (what.what == What::sent) {
    ++link.messages_sent;
    link.bytes_sent += what.amount;
    if (what.cause == Cause::retransmission) ++losses(what.link).retransmitted;
    return;
  }
  if (what.what == What::delivered) {
    ++link.messages_delivered;
    link.bytes_delivered += what.amount;
    link.queueing += what.queued;
    link.transferring += what.duration - what.queued;
  } else {
    ++losses(what.link).messages_lost;
    losses(what.link).bytes_lost += what.amount;
  }
  std::int64_t messages = link.messages_delivered;
  Bytes bytes = link.bytes_delivered;
  if (!losses_.empty()) {
    messages += losses_[what.link].messages_lost;
    bytes += losses_[what.link].bytes_lost;
  }
  LAGNET_CHECK(messages <= link.messages_sent && bytes <= link.bytes_sent, "more came of link {} than was sent over it",
               what.link);
}

}  // namespace lagnet
