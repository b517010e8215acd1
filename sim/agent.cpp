#include "sim/agent.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "sim/errors.hpp"

namespace lagnet {

Agent::Agent(AgentId id, Runtime& runtime) : id_(id), runtime_(runtime) {}

// Sending

Message Agent::outgoing(Round round, Payload body, Tag tag) {
  round_ = std::max(round_, round);
  Message message(id_, round, tag, std::move(body));
  message.hops = hops_ + 1;
  message.sent = runtime_.now();
  return message;
}

void Agent::send(AgentId to, Round round, Payload body, Tag tag) {
  const LinkId link = runtime_.network().find(id_, to);
  if (link == no_link) throw std::invalid_argument(fmt::format("no link to agent {}", to));
  runtime_.send(link, outgoing(round, std::move(body), tag));
}

void Agent::broadcast(Round round, Payload body, Tag tag) {
  if (degree() > 0) runtime_.broadcast(outgoing(round, std::move(body), tag));
}

void Agent::report_views(Round round, std::span<const VectorView> parts) {
  runtime_.note({.at = now(), .what = What::reported, .agent = id_, .peer = id_, .round = round, .amount = hops_});
  round_ = round + 1;
  runtime_.report(id_, round, parts);
}

// Waiting

Cohort Agent::cohort(Round round) const {
  const Rules& rules = runtime_.rules();
  std::vector<AgentId> asked(neighbors().begin(), neighbors().end());
  if (rules.participation) asked = rules.participation->chosen(round, neighbors());
  return rules.round_rule.cohort(std::move(asked), now());
}

void Agent::begin_collect(Round round, Cohort cohort, Tag tag) {
  waiting_ = Waiting::collect;
  std::ranges::sort(cohort.members);
  const auto repeated = std::ranges::unique(cohort.members);
  cohort.enough = std::min(cohort.enough, cohort.members.size() - repeated.size());
  cohort.members.erase(repeated.begin(), repeated.end());
  for (const AgentId agent : cohort.members)
    if (runtime_.network().find(agent, id_) == no_link)
      throw std::invalid_argument(fmt::format("no link from agent {} of the cohort", agent));
  collection_.round = round;
  collection_.tag = tag;
  collection_.cohort = std::move(cohort.members);
  collection_.expired = cohort.deadline <= now();
  collection_.came.assign(collection_.cohort.size(), false);
  collection_.answered = 0;
  collection_.enough = cohort.enough;
  for (const Message& message : mail()) tick_off(message);
  ++ticket_;  // the deadline of an earlier collection says nothing about this one
  if (cohort.deadline != Time::never() && !satisfied()) runtime_.wake_at(cohort.deadline, id_, ticket_);
}

void Agent::begin_compute(Work work) {
  LAGNET_CHECK(work.flops >= 0 && work.bytes >= 0, "{} flops, {} bytes", work.flops, work.bytes);
  const Duration duration = runtime_.compute_time(id_, round_, work);
  runtime_.note({.at = now(),
                 .what = What::computed,
                 .agent = id_,
                 .peer = id_,
                 .round = round_,
                 .amount = work.flops,
                 .duration = duration});
  if (job_.run) runtime_.workers().start(job_);
  begin_timer(duration);
}

void Agent::begin_cipher(Duration CipherCosts::*each, std::int64_t scalars) {
  const CipherCosts& costs = runtime_.rules().ciphers;
  const Duration duration = costs.time(costs.*each, scalars);
  job_.run = nullptr;
  runtime_.note({.at = now(),
                 .what = What::encrypted,
                 .agent = id_,
                 .peer = id_,
                 .round = round_,
                 .amount = scalars,
                 .duration = duration});
  begin_timer(duration);
}

void Agent::begin_sleep(Duration duration) {
  if (duration < Duration()) throw std::invalid_argument(fmt::format("cannot sleep for {} ns", duration.ns()));
  job_.run = nullptr;
  runtime_.note({.at = now(), .what = What::slept, .agent = id_, .peer = id_, .round = round_, .duration = duration});
  begin_timer(duration);
}

void Agent::begin_timer(Duration duration) {
  waiting_ = Waiting::timer;
  const Time end = runtime_.after(id_, duration);
  if (end != Time::never() && end > saturated(now(), duration))
    runtime_.note({.at = now(),
                   .what = What::away,
                   .agent = id_,
                   .peer = id_,
                   .round = round_,
                   .duration = end - (now() + duration)});
  runtime_.wake_at(end, id_, ++ticket_);
}

bool Agent::satisfied() const {
  switch (waiting_) {
    case Waiting::exchange:
    case Waiting::sum:
      if (degree() == 0) return true;
      if (is_loose()) return loose_->complete();
      return inbox_[exchanges_ % 2].arrived == inbox_[exchanges_ % 2].messages.size();
    case Waiting::message:
    case Waiting::latest:
      return !mail_.empty();
    case Waiting::collect:
      return collection_.closed();
    case Waiting::nothing:
    case Waiting::start:
    case Waiting::timer:
      return false;
  }
  return false;
}

void Agent::suspend(std::coroutine_handle<> waiting) {
  coroutine_ = waiting;
  suspended_ = true;
  wait_began_ = now();
}

void Agent::start(std::coroutine_handle<> task) {
  waiting_ = Waiting::start;
  suspend(task);
  const auto& availability = runtime_.rules().availability;
  if (availability && !availability->up(id_, now()))
    runtime_.wake_at(now(), id_, ++ticket_);  // when it is up
  else
    check_ready();
}

void Agent::check_ready() {
  if (!suspended_ || ready_) return;
  if (waiting_ != Waiting::start && !satisfied()) return;
  ready_ = true;
  runtime_.ready(*this);
}

void Agent::wake(std::uint32_t ticket) {
  if (ticket != ticket_ || ready_) return;  // the wait that set this timer is over
  if (waiting_ == Waiting::collect) {
    collection_.expired = true;
    check_ready();
  } else if ((waiting_ == Waiting::exchange || waiting_ == Waiting::sum) && is_loose()) {
    loose_->expire();
    check_ready();
  } else if (waiting_ == Waiting::timer || waiting_ == Waiting::start) {
    ready_ = true;
    runtime_.ready(*this);
  }
}

void Agent::forget() {
  // A wait that the crash cut off is in the account; a timer's time is, too, by the ledger.
  if (suspended_ && waiting_ != Waiting::timer && waiting_ != Waiting::start) note_wait();
  for (const Message& message : mail()) drop(message, What::superseded);
  if (loose_)
    for (const Message& message : loose_->discard()) drop(message, What::superseded);
  suspended_ = ready_ = summed_ = false;
  hops_ = exchanges_ = mail_begin_ = 0;
  round_ = 0;
  ++ticket_;
  for (Inbox& inbox : inbox_) inbox = Inbox();
  loose_ = nullptr;
  closed_.clear();
  absent_.clear();
  own_ = Payload();
  mail_.clear();
  collection_ = Collection();
  collected_.clear();
  job_.run = nullptr;
  waiting_ = Waiting::nothing;
}

void Agent::restart(std::coroutine_handle<> task) {
  forget();
  runtime_.note({.at = now(), .what = What::restarted, .agent = id_, .peer = id_});
  start(task);
}

void Agent::note_wait() {
  const auto& availability = runtime_.rules().availability;
  runtime_.note({.at = now(),
                 .what = What::waited,
                 .agent = id_,
                 .peer = id_,
                 .round = round_,
                 .amount = availability ? availability->down_time(id_, wait_began_, now()).ns() : 0,
                 .duration = now() - wait_began_});
}

void Agent::resume() {
  LAGNET_CHECK(suspended_ && ready_, "agent {} is resumed while it does not wait", id_);
  suspended_ = ready_ = false;
  if (waiting_ != Waiting::timer && (waiting_ != Waiting::start || now() > wait_began_)) note_wait();
  coroutine_.resume();
}

// Receiving

void Agent::deliver(Message message, std::uint32_t slot) {
  if (message.copy) return drop(message, What::duplicate);
  if (message.tag == exchange_tag && is_loose()) {
    if (!loose_) loose_ = std::make_unique<LooseInbox>(neighbors().size(), runtime_.rules().missing);
    const Message came = message;  // its envelope, for the record
    const What use = loose_->put(std::move(message), slot);
    if (use != What::delivered) return drop(came, use);
  } else if (message.tag == exchange_tag) {
    const std::uint32_t ahead = message.exchange - exchanges_;
    Inbox& inbox = inbox_[message.exchange % 2];
    inbox.messages.resize(neighbors().size());
    LAGNET_CHECK(ahead <= 1 && !inbox.messages[slot].body, "agent {} got exchange {} of agent {} during its own {}",
                 id_, message.exchange, message.from, exchanges_);
    inbox.messages[slot] = std::move(message);
    ++inbox.arrived;
  } else {
    const auto collected = collected_.find(message.tag);
    if (collected != collected_.end() && message.round <= collected->second) return drop(message, What::late);
    if (waiting_ == Waiting::collect) tick_off(message);
    mail_.push_back(std::move(message));
  }
  check_ready();
}

bool Agent::collects(const Message& message) const {
  return message.round == collection_.round && message.tag == collection_.tag &&
         std::ranges::binary_search(collection_.cohort, message.from);
}

void Agent::tick_off(const Message& message) {
  if (message.round != collection_.round || message.tag != collection_.tag) return;
  const auto member = std::ranges::lower_bound(collection_.cohort, message.from);
  if (member == collection_.cohort.end() || *member != message.from) return;
  auto came = collection_.came.begin() + (member - collection_.cohort.begin());
  if (!*came) ++collection_.answered;
  *came = true;
}

void Agent::drop(const Message& message, What why) {
  runtime_.note({.at = now(), .what = why, .agent = id_, .peer = message.from, .round = message.round, .amount = 1});
}

void Agent::took(Message& message) {
  message.staleness = round_ - message.round;
  hops_ = std::max(hops_, message.hops);
  if (message.staleness > 0)
    runtime_.note({.at = now(),
                   .what = What::stale,
                   .agent = id_,
                   .peer = message.from,
                   .round = message.round,
                   .amount = message.staleness});
}

std::vector<Message> Agent::take_collected() {
  waiting_ = Waiting::nothing;
  std::vector<Message> taken;
  std::vector<Message> kept;
  // In order of arrival: beyond what is enough, answers of one instant are late.
  std::vector<bool> answered(collection_.cohort.size());
  std::size_t answers = 0;
  for (Message& message : mail()) {
    const auto member = std::ranges::lower_bound(collection_.cohort, message.from) - collection_.cohort.begin();
    const bool wanted = collects(message);
    const bool is_known = wanted && answered[static_cast<std::size_t>(member)];
    if (wanted && (is_known || answers < collection_.enough)) {
      if (!is_known) ++answers;
      answered[static_cast<std::size_t>(member)] = true;
      took(message);
      taken.push_back(std::move(message));
    } else if (message.tag == collection_.tag && message.round <= collection_.round) {
      drop(message, What::late);
    } else {
      kept.push_back(std::move(message));
    }
  }
  mail_ = std::move(kept);
  mail_begin_ = 0;
  Round& latest = collected_.emplace(collection_.tag, collection_.round).first->second;
  latest = std::max(latest, collection_.round);
  std::ranges::stable_sort(taken, {}, &Message::from);
  note_collected(taken.size(), answered, answers);
  return taken;
}

void Agent::note_collected(std::size_t taken, const std::vector<bool>& answered, std::size_t answers) {
  const Cause why = answers >= collection_.enough ? Cause::enough : Cause::deadline;
  for (std::size_t k = 0; k < answered.size(); ++k)
    if (!answered[k])
      runtime_.note({.at = now(),
                     .what = What::dropped,
                     .cause = why,
                     .agent = id_,
                     .peer = collection_.cohort[k],
                     .round = collection_.round,
                     .amount = 1});
  runtime_.note({.at = now(),
                 .what = What::collected,
                 .agent = id_,
                 .peer = id_,
                 .round = collection_.round,
                 .amount = static_cast<std::int64_t>(taken)});
}

Message Agent::take_message() {
  waiting_ = Waiting::nothing;
  Message message = std::move(mail_[mail_begin_++]);
  // Erased once they are half of all: then each erasure moves at most as many messages as it erases.
  if (2 * std::size_t{mail_begin_} >= mail_.size()) {
    mail_.erase(mail_.begin(), mail_.begin() + mail_begin_);
    mail_begin_ = 0;
  }
  took(message);
  return message;
}

Message Agent::take_latest() {
  waiting_ = Waiting::nothing;
  const std::span<Message> waiting = mail();
  std::size_t newest = 0;
  for (std::size_t i = 1; i < waiting.size(); ++i)
    if (waiting[i].round >= waiting[newest].round) newest = i;
  for (std::size_t i = 0; i < waiting.size(); ++i)
    if (i != newest) drop(waiting[i], What::superseded);
  Message message = std::move(waiting[newest]);
  mail_.clear();
  mail_begin_ = 0;
  took(message);
  return message;
}

void Agent::take_timer() {
  waiting_ = Waiting::nothing;
  if (!job_.run) return;
  runtime_.workers().finish(job_);
  job_.run = nullptr;
  if (job_.error) std::rethrow_exception(std::exchange(job_.error, nullptr));
}

void Agent::settle() {
  if (job_.run) runtime_.workers().finish(job_);
}

std::string Agent::waits_for() const {
  const auto missing_neighbors = [&] {
    std::vector<AgentId> missing;
    if (is_loose()) {
      for (const std::uint32_t slot : loose_->waited_for()) missing.push_back(neighbors()[slot]);
      return missing;
    }
    const Inbox& inbox = inbox_[exchanges_ % 2];
    for (std::size_t k = 0; k < inbox.messages.size(); ++k)
      if (!inbox.messages[k].body) missing.push_back(neighbors()[k]);
    return missing;
  };
  const auto missing_cohort = [&] {
    std::vector<AgentId> missing = collection_.cohort;
    for (const Message& message : mail())
      if (collects(message)) std::erase(missing, message.from);
    return missing;
  };
  switch (waiting_) {
    case Waiting::exchange:
    case Waiting::sum:
      if (is_loose())
        return fmt::format("exchange {} of round {} with agents {}", loose_->key().number, loose_->key().round,
                           fmt::join(missing_neighbors(), ", "));
      return fmt::format("exchange {} with agents {}", exchanges_, fmt::join(missing_neighbors(), ", "));
    case Waiting::message:
    case Waiting::latest:
      return "any message";
    case Waiting::collect:
      return fmt::format("round {} of agents {}", collection_.round, fmt::join(missing_cohort(), ", "));
    case Waiting::timer:
      return "its timer";
    case Waiting::nothing:
    case Waiting::start:
      return "nothing";
  }
  return "nothing";
}

}  // namespace lagnet
