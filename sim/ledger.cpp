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

AgentAccount Ledger::agent_at(AgentId id, Time now) const {
  AgentAccount account = agents_[id];
  const Activity& activity = activities_[id];
  if (activity.account && activity.end > now)
    account.*activity.account = account.*activity.account - std::min(activity.billed, activity.end - now);
  return account;
}

void Ledger::cut(AgentId agent, Time now) {
  const AgentAccount cut_off = agent_at(agent, now);
  if (Duration AgentAccount::*account = activities_[agent].account)
    total_.*account = total_.*account - (agents_[agent].*account - cut_off.*account);
  agents_[agent] = cut_off;
  activities_[agent] = Activity();
}

void Ledger::end_at(Time end) {
  for (AgentId agent = 0; agent < agents(); ++agent) cut(agent, end);
}

void Ledger::start(const Occurrence& what, Duration AgentAccount::*account) {
  agents_[what.agent].*account += what.duration;
  total_.*account += what.duration;
  activities_[what.agent] = {account, what.duration, saturated(what.at, what.duration)};
}

void Ledger::occurred(const Occurrence& what) {
  AgentAccount& agent = agents_[what.agent];
  const auto count = [&](auto AgentAccount::*account, auto amount) {
    agent.*account += amount;
    total_.*account += amount;
  };
  switch (what.what) {
    case What::sent:
      count(&AgentAccount::messages_sent, 1);
      count(&AgentAccount::bytes_sent, what.amount);
      count(&AgentAccount::retransmitted, what.cause == Cause::retransmission ? 1 : 0);
      return add(what, links_[what.link]);
    case What::delivered:
      count(&AgentAccount::messages_received, 1);
      count(&AgentAccount::bytes_received, what.amount);
      count(&AgentAccount::queueing, what.queued);
      count(&AgentAccount::transferring, what.duration - what.queued);
      return add(what, links_[what.link]);
    case What::lost:
      count(&AgentAccount::messages_lost, 1);
      count(&AgentAccount::bytes_lost, what.amount);
      return add(what, links_[what.link]);
    case What::late:
      return count(&AgentAccount::late, what.amount);
    case What::superseded:
      return count(&AgentAccount::superseded, what.amount);
    case What::duplicate:
      return count(&AgentAccount::duplicates, what.amount);
    case What::dropped:
      return count(&AgentAccount::dropped, what.amount);
    case What::stale:
      ++staleness_[what.amount];
      return count(&AgentAccount::stale, 1);
    case What::computed:
      count(&AgentAccount::flops, what.amount);
      return start(what, &AgentAccount::computing);
    case What::encrypted:
      return start(what, &AgentAccount::encrypting);
    case What::slept:
      return start(what, &AgentAccount::sleeping);
    case What::waited:
      count(&AgentAccount::idle, what.duration - Duration::nanoseconds(what.amount));
      return count(&AgentAccount::away, Duration::nanoseconds(what.amount));
    case What::away: {  // in the course of an activity, which ends so much later
      Activity& activity = activities_[what.agent];
      activity.end = saturated(activity.end, what.duration);
      return count(&AgentAccount::away, what.duration);
    }
    case What::restarted:
      return cut(what.agent, what.at);
    case What::reported:
      agent.hops = std::max(agent.hops, what.amount);
      total_.hops = std::max(total_.hops, what.amount);
      return;
    case What::collected:
      return;
  }
}

void Ledger::add(const Occurrence& what, LinkAccount& link) {
  if (what.what == What::sent) {
    ++link.messages_sent;
    link.bytes_sent += what.amount;
    if (what.cause == Cause::retransmission) ++link.retransmitted;
    return;
  }
  if (what.what == What::delivered) {
    ++link.messages_delivered;
    link.bytes_delivered += what.amount;
    link.queueing += what.queued;
    link.transferring += what.duration - what.queued;
  } else {
    ++link.messages_lost;
    link.bytes_lost += what.amount;
  }
  LAGNET_CHECK(link.messages_delivered + link.messages_lost <= link.messages_sent &&
                   link.bytes_delivered + link.bytes_lost <= link.bytes_sent,
               "more came of link {} than was sent over it", what.link);
}

}  // namespace lagnet
