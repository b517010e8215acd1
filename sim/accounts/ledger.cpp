#include "sim/accounts/ledger.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/errors.hpp"
#include "sim/machine/processor.hpp"

namespace lagnet {

AgentAccount& AgentAccount::operator+=(const AgentWork& other) {
  messages_sent += other.messages_sent;
  messages_received += other.messages_received;
  bytes_sent += other.bytes_sent;
  bytes_received += other.bytes_received;
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

AgentAccount& AgentAccount::operator+=(const AgentMishaps& other) {
  messages_lost += other.messages_lost;
  bytes_lost += other.bytes_lost;
  retransmitted += other.retransmitted;
  late += other.late;
  superseded += other.superseded;
  duplicates += other.duplicates;
  dropped += other.dropped;
  stale += other.stale;
  missed_ticks += other.missed_ticks;
  return *this;
}

AgentAccount& AgentAccount::operator+=(const AgentAccount& other) {
  *this += static_cast<const AgentWork&>(other);
  return *this += static_cast<const AgentMishaps&>(other);
}

// Parts that few occurrences need are not inlined into those that every message takes, which then save fewer registers.

AgentWork Ledger::work_at(AgentId id, AgentWork work, const Activity& activity, Time now) const {
  if (!activity.account) return work;
  const auto [account, billed, began] = activity;
  Time end = saturated(began, billed);  // until when it is billed, being away included
  if (availability_) end = availability_->next_up(id, availability_->finish(id, began, billed));
  if (end <= now) return work;
  const Duration away = availability_ ? availability_->down_time(id, began, now) : Duration();
  const Duration done = now - began - away;
  work.*account = work.*account - (billed - done);
  const Duration billed_away = end == Time::never() ? Duration() : end - began - billed;
  work.away = work.away - billed_away + away;
  return work;
}

AgentAccount Ledger::agent_at(AgentId id, Time now) const {
  AgentAccount account;
  add_at(id, now, account);
  return account;
}

void Ledger::add_at(AgentId id, Time now, AgentAccount& sum) const {
  sum += work_at(id, agents_[id].work, agents_[id].activity, now);
  if (!mishaps_.empty()) sum += mishaps_[id];
}

void Ledger::keep(Time now) {
  kept_at_ = now;
  ++keeps_;
  copies_.clear();
  if (copied_in_.empty()) copied_in_.resize(agents_.size());
}

[[gnu::noinline]] void Ledger::copy_once(AgentId agent) {
  if (std::exchange(copied_in_[agent], keeps_) == keeps_) return;
  const auto& [work, activity] = agents_[agent];
  copies_.push_back({agent, work, activity, mishaps_.empty() ? AgentMishaps() : mishaps_[agent]});
}

Ledger::Totals Ledger::kept_totals() const {
  Totals totals;
  std::vector<const Copy*> of(agents_.size());
  for (const Copy& copy : copies_) of[copy.agent] = &copy;
  for (AgentId id = 0; id < agents(); ++id) {
    const Copy* const copy = of[id];
    if (copy) {
      totals.total += work_at(id, copy->work, copy->activity, kept_at_);
      totals.total += copy->mishaps;
    } else {
      add_at(id, kept_at_, totals.total);
    }
    totals.flops_per_agent_max = std::max(totals.flops_per_agent_max, copy ? copy->work.flops : agents_[id].work.flops);
  }
  return totals;
}

[[gnu::noinline]] void Ledger::cut(AgentId agent, Time now) {
  agents_[agent] = {work_at(agent, agents_[agent].work, agents_[agent].activity, now), Activity()};
}

[[gnu::noinline]] AgentMishaps& Ledger::mishaps(AgentId agent) {
  if (mishaps_.empty()) mishaps_.resize(agents_.size());
  return mishaps_[agent];
}

[[gnu::noinline]] void Ledger::count_stale(const SimEvent& what) {
  ++stale_[what.amount];
  ++mishaps(what.agent).stale;
}

[[gnu::noinline]] void Ledger::count_used(const SimEvent& what) {
  if (used_.empty()) used_.resize(agents_.size());
  used_[what.peer].add(what.amount);
}

[[gnu::noinline]] void Ledger::count_answers(const SimEvent& what) {
  if (answer_steps_.empty()) answer_steps_.resize(agents_.size() + 1);
  ++answer_steps_[what.peer];
  --answer_steps_[what.peer + what.amount];
}

std::vector<std::int64_t> Ledger::answers() const {
  std::vector<std::int64_t> of(agents_.size());
  if (!answer_steps_.empty()) std::partial_sum(answer_steps_.begin(), answer_steps_.end() - 1, of.begin());
  return of;
}

std::map<std::int64_t, std::int64_t> Ledger::staleness() const {
  auto all = stale_;
  for (const AgeCounts& of_agent : used_) of_agent.add_to(all);
  return all;
}

std::map<std::int64_t, std::int64_t> Ledger::staleness_of(AgentId agent) const {
  std::map<std::int64_t, std::int64_t> all;
  if (!used_.empty()) used_[agent].add_to(all);
  return all;
}

void Ledger::end_at(Time end) {
  keeps_ = 0;
  copies_.clear();
  for (AgentId agent = 0; agent < agents(); ++agent) cut(agent, end);
}

[[gnu::noinline]] void Ledger::start(const SimEvent& what, Duration AgentWork::*account) {
  Kept& agent = agents_[what.agent];
  const Duration before = agent.work.*account;
  agent.work.*account += what.duration;
  // What was added, which is less where the sum ends at its longest, so that what is taken out again leaves the rest.
  agent.activity = {account, agent.work.*account - before, what.at};
}

[[gnu::noinline]] void Ledger::bill_queues(const SimEvent& what) {
  if (keeps_ > 0) copy_once(what.peer);
  agents_[what.agent].work.queueing += what.queued_there;
  agents_[what.peer].work.queueing += what.queued - what.queued_there;
}

void Ledger::on_event(const SimEvent& what) {
  if (keeps_ > 0) copy_once(what.agent);
  AgentWork& agent = agents_[what.agent].work;
  switch (what.what) {
    case EventKind::sent:
      ++agent.messages_sent;
      agent.bytes_sent += what.amount;
      if (what.cause == Cause::retransmission) ++mishaps(what.agent).retransmitted;
      return add_to_link(what);
    case EventKind::delivered:
      ++agent.messages_received;
      agent.bytes_received += what.amount;
      agent.transferring += what.duration - what.queued;
      if (what.queued != Duration()) bill_queues(what);
      return add_to_link(what);
    case EventKind::lost:
      ++mishaps(what.agent).messages_lost;
      mishaps(what.agent).bytes_lost += what.amount;
      return add_to_link(what);
    case EventKind::late:
      mishaps(what.agent).late += what.amount;
      return;
    case EventKind::superseded:
      mishaps(what.agent).superseded += what.amount;
      return;
    case EventKind::duplicate:
      mishaps(what.agent).duplicates += what.amount;
      return;
    case EventKind::dropped:
      mishaps(what.agent).dropped += what.amount;
      return;
    case EventKind::stale:
      return count_stale(what);
    case EventKind::computed:
      agent.flops += what.amount;
      if (what.duration == Duration()) return;  // nothing that could be under way
      return start(what, &AgentWork::computing);
    case EventKind::encrypted:
      return start(what, &AgentWork::encrypting);
    case EventKind::slept:
      return start(what, &AgentWork::sleeping);
    case EventKind::waited:
      agent.idle += what.duration - Duration::nanoseconds(what.amount);
      agent.away += Duration::nanoseconds(what.amount);
      return;
    case EventKind::away:
      agent.away += what.duration;
      return;
    case EventKind::restarted:
      ++restarts_;
      return cut(what.agent, what.at);
    case EventKind::reported:
      agent.hops = std::max(agent.hops, what.amount);
      return;
    case EventKind::used:
      return count_used(what);
    case EventKind::missed:
      mishaps(what.agent).missed_ticks += what.amount;
      return;
    case EventKind::counted:
      return count_answers(what);
    case EventKind::collected:
    case EventKind::took:
      return;
  }
}

void Ledger::fetch_ahead(AgentId agent, LinkId link) const {
  prefetch(&agents_[agent].work);
  if (link < links_.size()) prefetch(&links_[link]);
}

void Ledger::fetch_what_follows(AgentId agent, LinkId first) const {
  prefetch(&agents_[agent].activity);  // and what is before it in the second line
  for (const LinkId id : {first, first + 1})
    if (id < links_.size()) prefetch(&links_[id]);
}

AgentAccount Ledger::total() const {
  AgentAccount sum;
  for (AgentId id = 0; id < agents(); ++id) sum += agent(id);
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

void Ledger::add_to_link(const SimEvent& what) {
  LinkTraffic& link = links_[what.link];
  if (what.what == EventKind::sent) {
    ++link.messages_sent;
    link.bytes_sent += what.amount;
    if (what.cause == Cause::retransmission) ++losses(what.link).retransmitted;
    return;
  }
  if (what.what == EventKind::delivered) {
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
