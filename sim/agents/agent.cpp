#include "sim/agents/agent.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// Messages by the places of their senders in a cohort, those of one sender in the order that they have: a counting
/// sort.
std::vector<Message> in_order(std::vector<Message> messages, const std::vector<std::size_t>& members,
                              std::size_t cohort) {
  std::vector<std::size_t> next(cohort + 1, 0);  // where the next one of each member goes
  for (const std::size_t member : members) ++next[member + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Message> sorted(messages.size());
  for (std::size_t k = 0; k < messages.size(); ++k) sorted[next[members[k]]++] = std::move(messages[k]);
  return sorted;
}

}  // namespace

// Sending

void Agent::no_link_to(AgentId to) const { throw std::invalid_argument(fmt::format("no link to agent {}", to)); }

void Agent::broadcast(Round round, Payload body, MessageTag tag) {
  if (degree() > 0) runtime_.broadcast(outgoing(round, std::move(body), tag));
}

void Agent::report_views(Round round, std::span<const VectorView> parts) {
  check_computed();
  runtime_.note({.at = now(), .what = EventKind::reported, .agent = id_, .peer = id_, .round = round, .amount = hops_});
  round_ = round + 1;
  runtime_.report(id_, round, parts);
}

// Waiting

void Agent::send_with_receipt(AgentId to, Round round, Payload body, MessageTag tag) {
  const LinkId link = runtime_.network().find(id_, to);
  if (link == no_link) no_link_to(to);
  ++kit().rare.under_way;
  send_over(link, round, std::move(body), tag, kit_->rare.life);
}

void Agent::arrived(const Message& message) {
  if (!kit_ || kit_->rare.life != message.receipt) return;  // a crash has lost what this agent knew of it
  hops_ = std::max(hops_, message.hops);
  --kit_->rare.under_way;
  if (waiting_ == Waiting::receipts && satisfied() && is_down())
    runtime_.wake_at(now(), id_, ++ticket_);  // when it is up
  else
    check_ready();
}

Cohort Agent::cohort(Round round) const {
  const WorldModel& rules = runtime_.rules();
  return rules.round_rule.cohort(rules.asked(round, neighbors()), now());
}

void Agent::begin_collect(Round round, Cohort cohort, MessageTag tag) {
  check_computed();
  std::ranges::sort(cohort.members);
  const auto repeated = std::ranges::unique(cohort.members);
  cohort.enough = std::min(cohort.enough, cohort.members.size() - repeated.size());
  cohort.members.erase(repeated.begin(), repeated.end());
  std::vector<std::uint32_t> slots = slots_of(cohort.members);
  waiting_ = Waiting::collect;
  auto& collecting = kit().rare.collecting;
  if (!collecting) collecting = std::make_unique<Collecting>();
  Collection& collection = collecting->present;
  collection.round = round;
  collection.tag = tag;
  collection.cohort = std::move(cohort.members);
  for (const std::uint32_t slot : collection.slots) collection.places[slot] = 0;
  collection.slots = std::move(slots);
  collection.places.resize(neighbors().size());
  for (std::uint32_t place = 0; place < collection.slots.size();) {
    const std::uint32_t slot = collection.slots[place];
    collection.places[slot] = ++place;
  }
  collection.expired = cohort.deadline <= now();
  collection.came.assign(collection.cohort.size(), false);
  collection.answered = 0;
  collection.enough = cohort.enough;
  runtime_.messages().for_each(mail_, [this](const Message& message, std::uint32_t slot) { tick_off(message, slot); });
  ++ticket_;  // the deadline of an earlier collection says nothing about this one
  if (cohort.deadline != Time::never() && !satisfied()) runtime_.wake_at(cohort.deadline, id_, ticket_);
}

std::vector<std::uint32_t> Agent::slots_of(const std::vector<AgentId>& cohort) const {
  const Network& network = runtime_.network();
  std::vector<std::uint32_t> slots;
  slots.reserve(cohort.size());
  for (const AgentId agent : cohort) {
    const LinkId link = network.find(agent, id_);
    if (link == no_link) throw std::invalid_argument(fmt::format("no link from agent {} of the cohort", agent));
    slots.push_back(network.link(link).slot_at_receiver);
  }
  return slots;
}

void Agent::begin_compute(Cost work) {
  LAGNET_CHECK(work.flops >= 0 && work.bytes >= 0, "{} flops, {} bytes", work.flops, work.bytes);
  const Duration duration = runtime_.compute_time(id_, round_, work);
  runtime_.note({.at = now(),
                 .what = EventKind::computed,
                 .agent = id_,
                 .peer = id_,
                 .round = round_,
                 .amount = work.flops,
                 .duration = duration});
  begin_timer(duration);  // first, since it may throw, which ends what the kernel works with
  if (kit_ && kit_->job.run) {
    if (has_deferred())
      runtime_.sums().defer(kit_->job);
    else
      runtime_.workers().start(kit_->job);
  }
}

void Agent::begin_cipher(Duration CipherCosts::*each, std::int64_t scalars) {
  check_computed();
  const CipherCosts& costs = runtime_.rules().ciphers;
  const Duration duration = costs.time(costs.*each, scalars);
  if (kit_) kit_->job.run = nullptr;
  runtime_.note({.at = now(),
                 .what = EventKind::encrypted,
                 .agent = id_,
                 .peer = id_,
                 .round = round_,
                 .amount = scalars,
                 .duration = duration});
  if (duration == Duration())
    waiting_ = Waiting::nothing;
  else
    begin_timer(duration);
}

void Agent::begin_sleep(Duration duration) {
  check_computed();
  if (duration < Duration()) throw std::invalid_argument(fmt::format("cannot sleep for {} ns", duration.ns()));
  if (kit_) kit_->job.run = nullptr;
  runtime_.note(
      {.at = now(), .what = EventKind::slept, .agent = id_, .peer = id_, .round = round_, .duration = duration});
  begin_timer(duration);
}

void Agent::begin_timer(Duration duration) {
  waiting_ = Waiting::timer;
  const Time end = runtime_.after(id_, duration);
  if (end != Time::never() && end > saturated(now(), duration))
    runtime_.note({.at = now(),
                   .what = EventKind::away,
                   .agent = id_,
                   .peer = id_,
                   .round = round_,
                   .duration = end - (now() + duration)});
  runtime_.wake_at(end, id_, ++ticket_);
}

bool Agent::is_satisfied() const {
  switch (waiting_) {
    case Waiting::exchange:
    case Waiting::sum:
      if (degree() == 0) return true;
      return is_loose() ? kit_->rare.loose->inbox.complete() : kit_->inbox.complete();
    case Waiting::message:
    case Waiting::latest:
      return !mail_.empty();
    case Waiting::collect:
      return kit_->rare.collecting->present.closed();
    case Waiting::receipts:
      return kit_->rare.under_way == 0;
    case Waiting::nothing:
      return true;
    case Waiting::start:
    case Waiting::timer:
      return false;
  }
  return false;
}

void Agent::start(const Task<>& task) {
  frame_lines_ = std::min<std::size_t>(16, task.frame_size() / line + 1) & 31;
  waiting_ = Waiting::start;
  coroutine_ = task.handle();
  is_in_awaited_ = false;
  suspend(task.handle());
  if (is_down())
    runtime_.wake_at(now(), id_, ++ticket_);  // when it is up
  else
    check_ready();
}

void Agent::wake(std::uint32_t ticket) {
  if (ticket != ticket_ || ready_) return;  // the wait that set this timer is over
  if (waiting_ == Waiting::collect) {
    kit_->rare.collecting->present.expired = true;
    check_ready();
  } else if ((waiting_ == Waiting::exchange || waiting_ == Waiting::sum) && is_loose()) {
    kit_->rare.loose->inbox.expire();
    check_ready();
  } else if (waiting_ == Waiting::timer || waiting_ == Waiting::start) {
    ready_ = true;
    runtime_.ready(id_, false);
  } else if (waiting_ == Waiting::receipts) {
    check_ready();
  }
}

void Agent::forget() {
  // A wait that the crash cut off is in the account; a timer's time is, too, by the ledger.
  if (suspended_ && has_waited()) note_wait();
  runtime_.messages().filter(mail_, [this](const Message& message, std::uint32_t) {
    drop(message, EventKind::superseded);
    return false;
  });
  if (kit_ && kit_->rare.loose)
    for (const Message& message : kit_->rare.loose->inbox.discard()) drop(message, EventKind::superseded);
  suspended_ = ready_ = false;
  hops_ = 0;
  round_ = 0;
  ++ticket_;
  if (kit_) {
    const int life = kit_->rare.life % std::numeric_limits<std::uint8_t>::max() + 1;
    kit_ = nullptr;
    kit().rare.life = static_cast<std::uint8_t>(life);
  }
  waiting_ = Waiting::nothing;
}

void Agent::restart(const Task<>& task) {
  forget();
  runtime_.note({.at = now(), .what = EventKind::restarted, .agent = id_, .peer = id_});
  start(task);
}

void Agent::note_wait() {
  const auto& availability = runtime_.rules().availability;
  runtime_.note({.at = now(),
                 .what = EventKind::waited,
                 .agent = id_,
                 .peer = id_,
                 .round = round_,
                 .amount = availability ? availability->down_time(id_, wait_began_, now()).ns() : 0,
                 .duration = now() - wait_began_});
}

// Receiving

void Agent::deliver(Message&& message, std::uint32_t slot) {
  if (message.copy) return drop(message, EventKind::duplicate);
  if (message.tag == exchange_tag) {
    if (!is_loose()) return deliver_strictly(message, slot);
    if (!deliver_loosely(std::move(message), slot)) return;
  } else {
    if (kit_ && kit_->rare.collecting && is_late(message)) return drop(message, EventKind::late);
    if (waiting_ == Waiting::collect) tick_off(message, slot);
    runtime_.messages().put(mail_, std::move(message), slot);
  }
  check_ready();
}

bool Agent::is_late(const Message& message) const {
  const auto& latest = kit_->rare.collecting->latest;
  const auto collected = latest.find(message.tag);
  return collected != latest.end() && message.round <= collected->second;
}

std::optional<std::size_t> Agent::member_of(const Message& message, std::uint32_t slot) const {
  const Collection& collection = kit_->rare.collecting->present;
  const std::uint32_t place = collection.places[slot];
  if (place == 0 || message.round != collection.round || message.tag != collection.tag) return std::nullopt;
  return place - 1;
}

void Agent::tick_off(const Message& message, std::uint32_t slot) {
  const auto member = member_of(message, slot);
  if (!member) return;
  Collection& collection = kit_->rare.collecting->present;
  if (!collection.came[*member]) ++collection.answered;
  collection.came[*member] = true;
}

void Agent::drop(const Message& message, EventKind why) {
  runtime_.note({.at = now(), .what = why, .agent = id_, .peer = message.from, .round = message.round, .amount = 1});
}

void Agent::note_stale(const Message& message) {
  runtime_.note({.at = now(),
                 .what = EventKind::stale,
                 .agent = id_,
                 .peer = message.from,
                 .round = message.round,
                 .amount = message.staleness});
}

std::vector<Message> Agent::take_collected() {
  waiting_ = Waiting::nothing;
  const Collection& collection = kit_->rare.collecting->present;
  std::vector<Message> taken;
  std::vector<std::size_t> members;  // of those taken
  taken.reserve(collection.answered);
  members.reserve(collection.answered);
  // In order of arrival: beyond what is enough, answers of one instant are late.
  std::vector<bool> answered(collection.cohort.size());
  std::size_t answers = 0;
  runtime_.messages().filter(mail_, [&](Message& message, std::uint32_t slot) {
    const auto member = member_of(message, slot);
    const bool is_known = member && answered[*member];
    if (member && (is_known || answers < collection.enough)) {
      if (!is_known) ++answers;
      answered[*member] = true;
      took(message);
      taken.push_back(std::move(message));
      members.push_back(*member);
      return false;
    }
    const bool is_too_late = message.tag == collection.tag && message.round <= collection.round;
    if (is_too_late) drop(message, EventKind::late);
    return !is_too_late;
  });
  Round& latest = kit_->rare.collecting->latest.emplace(collection.tag, collection.round).first->second;
  latest = std::max(latest, collection.round);
  if (!std::ranges::is_sorted(members)) taken = in_order(std::move(taken), members, collection.cohort.size());
  note_collected(taken.size(), answered, answers);
  return taken;
}

void Agent::note_collected(std::size_t taken, const std::vector<bool>& answered, std::size_t answers) {
  const Collection& collection = kit_->rare.collecting->present;
  const Cause why = answers >= collection.enough ? Cause::enough : Cause::deadline;
  for (std::size_t k = 0; k < answered.size(); ++k)
    if (!answered[k])
      runtime_.note({.at = now(),
                     .what = EventKind::dropped,
                     .cause = why,
                     .agent = id_,
                     .peer = collection.cohort[k],
                     .round = collection.round,
                     .amount = 1});
  runtime_.note({.at = now(),
                 .what = EventKind::collected,
                 .agent = id_,
                 .peer = id_,
                 .round = collection.round,
                 .amount = static_cast<std::int64_t>(taken)});
}

Message Agent::take_latest() {
  waiting_ = Waiting::nothing;
  MessageTable& pool = runtime_.messages();
  Round newest = std::numeric_limits<Round>::min();
  std::size_t last_of_them = 0, place = 0;
  pool.for_each(mail_, [&](const Message& message, std::uint32_t) {
    if (message.round >= newest) last_of_them = place;
    newest = std::max(newest, message.round);
    ++place;
  });
  Message taken;
  place = 0;
  pool.filter(mail_, [&](Message& message, std::uint32_t) {
    if (place++ == last_of_them)
      taken = std::move(message);
    else
      drop(message, EventKind::superseded);
    return false;
  });
  took(taken);
  enter(taken.round);
  return taken;
}

void Agent::take_timer() {
  waiting_ = Waiting::nothing;
  const bool used_pieces = has_deferred();
  need_pieces();
  Job* const job = kit_ && kit_->job.run ? &kit_->job : nullptr;
  if (job) {
    runtime_.workers().finish(*job);
    job->run = nullptr;
  }
  if (used_pieces && kit_->summing->thrown.error)
    std::rethrow_exception(std::exchange(kit_->summing->thrown, {}).error);
  if (job && job->error) std::rethrow_exception(std::exchange(job->error, nullptr));
}

void Agent::settle() {
  need_pieces();
  if (kit_ && kit_->job.run) runtime_.workers().finish(kit_->job);
}

std::string Agent::waits_for() const {
  const auto missing_neighbors = [&] {
    std::vector<AgentId> missing;
    if (is_loose()) {
      for (const std::uint32_t slot : kit_->rare.loose->inbox.waited_for()) missing.push_back(neighbors()[slot]);
      return missing;
    }
    const auto entries = kit_->inbox.entries();
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (!entries[k].body) missing.push_back(neighbors()[k]);
    return missing;
  };
  const auto missing_cohort = [&] {
    std::vector<AgentId> missing = kit_->rare.collecting->present.cohort;
    runtime_.messages().for_each(mail_, [&](const Message& message, std::uint32_t slot) {
      if (member_of(message, slot)) std::erase(missing, message.from);
    });
    return missing;
  };
  switch (waiting_) {
    case Waiting::exchange:
    case Waiting::sum:
      if (is_loose())
        return fmt::format("exchange {} of round {} with agents {}", kit_->rare.loose->inbox.key().number,
                           kit_->rare.loose->inbox.key().round, fmt::join(missing_neighbors(), ", "));
      return fmt::format("exchange {} with agents {}", kit_->inbox.count(), fmt::join(missing_neighbors(), ", "));
    case Waiting::message:
    case Waiting::latest:
      return "any message";
    case Waiting::receipts:
      return fmt::format("the arrival of {} of its messages", kit_->rare.under_way);
    case Waiting::collect:
      return fmt::format("round {} of agents {}", kit_->rare.collecting->present.round,
                         fmt::join(missing_cohort(), ", "));
    case Waiting::timer:
      return "its timer";
    case Waiting::nothing:
    case Waiting::start:
      return "nothing";
  }
  return "nothing";
}

}  // namespace lagnet
