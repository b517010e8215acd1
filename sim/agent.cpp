#include "sim/agent.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "sim/errors.hpp"
#include "sim/row_sums.hpp"

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

void Agent::begin_exchange(Payload body, Waiting kind, const GossipRow* row) {
  waiting_ = kind;
  row_ = row;
  if (row) {
    LAGNET_CHECK(row->neighbors.size() == neighbors().size(), "{} weights for {} neighbors", row->neighbors.size(),
                 neighbors().size());
    own_ = body;
  }
  const auto size = body.size();
  if (kind == Waiting::sum) sum_ = Vector::Zero(size);
  if (degree() == 0) return;
  Message message = outgoing(round_, std::move(body), exchange_tag);
  message.exchange = ++exchanges_;
  for (Inbox& inbox : inbox_) inbox.messages.resize(neighbors().size());
  runtime_.broadcast(std::move(message));
}

void Agent::begin_collect(Round round, std::vector<AgentId> cohort, Time deadline, Tag tag) {
  waiting_ = Waiting::collect;
  std::ranges::sort(cohort);
  cohort.erase(std::ranges::unique(cohort).begin(), cohort.end());
  for (const AgentId agent : cohort)
    if (runtime_.network().find(agent, id_) == no_link)
      throw std::invalid_argument(fmt::format("no link from agent {} of the cohort", agent));
  collection_.round = round;
  collection_.tag = tag;
  collection_.cohort = std::move(cohort);
  collection_.expired = deadline <= now();
  collection_.came.assign(collection_.cohort.size(), false);
  collection_.missing = collection_.cohort.size();
  for (const Message& message : mail()) tick_off(message);
  ++ticket_;  // the deadline of an earlier collection says nothing about this one
  if (deadline != Time::never() && !satisfied()) runtime_.wake_at(deadline, id_, ticket_);
}

void Agent::begin_compute(Flops flops) {
  LAGNET_CHECK(flops >= 0, "{} flops", flops);
  const Duration duration = runtime_.compute_time(id_, flops);
  runtime_.note({.at = now(),
                 .what = What::computed,
                 .agent = id_,
                 .peer = id_,
                 .round = round_,
                 .amount = flops,
                 .duration = duration});
  if (job_.run) runtime_.workers().start(job_);
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
  runtime_.wake_at(now() + duration, id_, ++ticket_);
}

bool Agent::satisfied() const {
  switch (waiting_) {
    case Waiting::exchange:
    case Waiting::sum:
      return degree() == 0 || inbox_[exchanges_ % 2].arrived == inbox_[exchanges_ % 2].messages.size();
    case Waiting::message:
    case Waiting::latest:
      return !mail_.empty();
    case Waiting::collect:
      return collection_.missing == 0 || collection_.expired;
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
  } else if (waiting_ == Waiting::timer) {
    ready_ = true;
    runtime_.ready(*this);
  }
}

void Agent::resume() {
  LAGNET_CHECK(suspended_ && ready_, "agent {} is resumed while it does not wait", id_);
  suspended_ = ready_ = false;
  if (waiting_ != Waiting::timer && waiting_ != Waiting::start)
    runtime_.note({.at = now(),
                   .what = What::waited,
                   .agent = id_,
                   .peer = id_,
                   .round = round_,
                   .duration = now() - wait_began_});
  coroutine_.resume();
}

// Receiving

void Agent::deliver(Message message, std::uint32_t slot) {
  if (message.tag == exchange_tag) {
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
  if (!*came) --collection_.missing;
  *came = true;
}

void Agent::drop(const Message& message, What why) {
  runtime_.note({.at = now(), .what = why, .agent = id_, .peer = message.from, .round = message.round, .amount = 1});
}

void Agent::took(Message& message) {
  message.staleness = round_ - message.round;
  hops_ = std::max(hops_, message.hops);
}

std::vector<Message> Agent::take_exchange() {
  waiting_ = Waiting::nothing;
  std::vector<Message> messages;
  if (degree() == 0) return messages;
  Inbox& inbox = inbox_[exchanges_ % 2];
  messages = std::move(inbox.messages);
  inbox.messages.clear();
  inbox.arrived = 0;
  for (Message& message : messages) took(message);
  return messages;
}

bool Agent::prepare_sum() {
  if (waiting_ != Waiting::sum) return false;
  rows_.clear();
  if (degree() == 0) return true;
  for (const Message& message : inbox_[exchanges_ % 2].messages) {
    LAGNET_CHECK(message.body.size() == sum_.size(), "agent {} sent {} numbers where agent {} sent {}", message.from,
                 message.body.size(), id_, sum_.size());
    rows_.push_back(message.body.data());
  }
  return true;
}

void Agent::add_up() {
  if (row_) sum_ = row_->own * own_.view();
  add_rows(rows_, row_ ? std::span<const double>(row_->neighbors) : std::span<const double>(), sum_);
  summed_ = true;
}

Vector Agent::take_sum() {
  if (!summed_ && prepare_sum()) add_up();
  summed_ = false;
  own_ = Payload();
  waiting_ = Waiting::nothing;
  if (degree() > 0) {
    // The inbox keeps its places for the exchange after the next; only what they held goes.
    Inbox& inbox = inbox_[exchanges_ % 2];
    for (Message& message : inbox.messages) {
      took(message);
      message = Message();
    }
    inbox.arrived = 0;
  }
  return std::move(sum_);
}

std::vector<Message> Agent::take_collected() {
  waiting_ = Waiting::nothing;
  std::vector<Message> taken;
  std::vector<Message> kept;
  for (Message& message : mail()) {
    if (collects(message)) {
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
  return taken;
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
