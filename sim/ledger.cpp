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

void Ledger::follow(const Occurrence& what) {
  Activity& activity = activities_[what.agent];
  switch (what.what) {
    case What::computed:
      activity = {&AgentAccount::computing, what.duration, saturated(what.at, what.duration)};
      return;
    case What::encrypted:
      activity = {&AgentAccount::encrypting, what.duration, saturated(what.at, what.duration)};
      return;
    case What::slept:
      activity = {&AgentAccount::sleeping, what.duration, saturated(what.at, what.duration)};
      return;
    case What::away:  // it ends so much later
      activity.end = saturated(activity.end, what.duration);
      return;
    case What::restarted:
      return cut(what.agent, what.at);
    default:
      return;
  }
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

void Ledger::occurred(const Occurrence& what) {
  follow(what);
  add(what, agents_[what.agent]);
  add(what, total_);
  if (what.what == What::stale) ++staleness_[what.amount];
  if (what.link != no_link) add(what, links_[what.link]);
}

void Ledger::add(const Occurrence& what, AgentAccount& account) {
  switch (what.what) {
    case What::sent:
      ++account.messages_sent;
      account.bytes_sent += what.amount;
      if (what.cause == Cause::retransmission) ++account.retransmitted;
      break;
    case What::delivered:
      ++account.messages_received;
      account.bytes_received += what.amount;
      account.queueing += what.queued;
      account.transferring += what.duration - what.queued;
      break;
    case What::lost:
      ++account.messages_lost;
      account.bytes_lost += what.amount;
      break;
    case What::late:
      account.late += what.amount;
      break;
    case What::superseded:
      account.superseded += what.amount;
      break;
    case What::duplicate:
      account.duplicates += what.amount;
      break;
    case What::dropped:
      account.dropped += what.amount;
      break;
    case What::stale:
      ++account.stale;
      break;
    case What::computed:
      account.flops += what.amount;
      account.computing += what.duration;
      break;
    case What::encrypted:
      account.encrypting += what.duration;
      break;
    case What::waited:
      account.idle += what.duration - Duration::nanoseconds(what.amount);
      account.away += Duration::nanoseconds(what.amount);
      break;
    case What::slept:
      account.sleeping += what.duration;
      break;
    case What::away:
      account.away += what.duration;
      break;
    case What::reported:
      account.hops = std::max(account.hops, what.amount);
      break;
    case What::collected:
    case What::restarted:
      break;
  }
}

void Ledger::add(const Occurrence& what, LinkAccount& link) {
  switch (what.what) {
    case What::sent:
      ++link.messages_sent;
      link.bytes_sent += what.amount;
      if (what.cause == Cause::retransmission) ++link.retransmitted;
      break;
    case What::delivered:
      ++link.messages_delivered;
      link.bytes_delivered += what.amount;
      link.queueing += what.queued;
      link.transferring += what.duration - what.queued;
      break;
    case What::lost:
      ++link.messages_lost;
      link.bytes_lost += what.amount;
      break;
    default:
      return;
  }
  LAGNET_CHECK(link.messages_delivered + link.messages_lost <= link.messages_sent &&
                   link.bytes_delivered + link.bytes_lost <= link.bytes_sent,
               "more came of link {} than was sent over it", what.link);
}

}  // namespace lagnet
