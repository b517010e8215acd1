#include "sim/agents/hosted_agent.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace lagnet {

void HostedAgent::start(const Task<>& task) {
  frame_lines_ = std::min<std::size_t>(16, task.frame_size() / cache_line + 1) & 31;
  waiting_ = Waiting::start;
  coroutine_ = task.handle();
  is_in_awaited_ = false;
  suspend(task.handle());
  if (is_down())
    wake_me_at(now());
  else
    check_ready();
}

void HostedAgent::wake(std::uint32_t ticket) {
  if (ticket != ticket_ || ready_) return;  // the wait that set this timer is over
  if (waiting_ == Waiting::collect) {
    wait_state_->uncommon.collecting->present.expired = true;
    check_ready();
  } else if ((waiting_ == Waiting::exchange || waiting_ == Waiting::sum) && is_loose()) {
    wait_state_->uncommon.loose->inbox.expire();
    check_ready();
  } else if (waiting_ == Waiting::event) {
    Serving& serving = *wait_state_->uncommon.serving;
    serving.has_finished = serving.is_computing && serving.finish <= now();
    serving.is_time = serving.until <= now();
    check_ready();
  } else if (waiting_ == Waiting::timer || waiting_ == Waiting::start) {
    ready_ = true;
    commons_.ready(id_, false);
  } else if (waiting_ == Waiting::receipts) {
    check_ready();
  }
}

void HostedAgent::forget() {
  // A wait that the crash cut off is in the account; a timer's time is, too, by the ledger.
  if (suspended_ && has_waited()) note_wait();
  commons_.messages().filter(mail_, [this](const Message& message, std::uint32_t) {
    drop(message, EventKind::superseded);
    return false;
  });
  if (wait_state_ && wait_state_->uncommon.loose)
    for (const Message& message : wait_state_->uncommon.loose->inbox.discard()) drop(message, EventKind::superseded);
  suspended_ = ready_ = false;
  hops_ = 0;
  round_ = 0;
  ++ticket_;
  if (wait_state_) {
    const int life = wait_state_->uncommon.life % std::numeric_limits<std::uint8_t>::max() + 1;
    wait_state_ = nullptr;
    wait_state().uncommon.life = static_cast<std::uint8_t>(life);
  }
  waiting_ = Waiting::nothing;
}

void HostedAgent::restart(const Task<>& task) {
  forget();
  note([this] { return event(EventKind::restarted, 0); });
  start(task);
}

bool HostedAgent::end() {
  if (!has_deferred()) return true;
  commons_.sums().withdraw(id_);
  wait_state_->deferred = 0;
  return false;
}

void HostedAgent::settle() {
  need_pieces();
  if (wait_state_ && wait_state_->job.run) commons_.workers().finish(wait_state_->job);
}

// What comes in

void HostedAgent::deliver(Message&& message, std::uint32_t slot) {
  if (message.copy) return drop(message, EventKind::duplicate);
  if (message.tag == exchange_tag) {
    if (!is_loose()) return deliver_strictly(message, slot);
    if (!put_loosely(std::move(message), slot)) return;
  } else {
    if (wait_state_ && wait_state_->uncommon.collecting && is_late(message)) return drop(message, EventKind::late);
    if (waiting_ == Waiting::collect) tick_off(message, slot);
    commons_.messages().put(mail_, std::move(message), slot, now());
  }
  check_ready();
}

bool HostedAgent::is_late(const Message& message) const {
  const auto& latest = wait_state_->uncommon.collecting->latest;
  const auto collected = latest.find(message.tag);
  return collected != latest.end() && message.round <= collected->second;
}

void HostedAgent::arrived(const Message& message) {
  if (!wait_state_ || wait_state_->uncommon.life != message.receipt)
    return;  // a crash has lost what this agent knew of it
  hops_ = std::max(hops_, message.hops);
  --wait_state_->uncommon.under_way;
  if (waiting_ == Waiting::receipts && satisfied() && is_down())
    wake_me_at(now());
  else
    check_ready();
}

std::string HostedAgent::waits_for() const {
  const auto missing_neighbors = [&] {
    std::vector<AgentId> missing;
    if (is_loose()) {
      for (const std::uint32_t slot : wait_state_->uncommon.loose->inbox.waited_for())
        missing.push_back(in_neighbors()[slot]);
      return missing;
    }
    const auto entries = wait_state_->inbox.entries();
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (!entries[k].body) missing.push_back(in_neighbors()[k]);
    return missing;
  };
  const auto missing_cohort = [&] {
    std::vector<AgentId> missing = wait_state_->uncommon.collecting->present.cohort;
    commons_.messages().for_each(mail_, [&](const Message& message, std::uint32_t slot) {
      if (member_of(message, slot)) std::erase(missing, message.from);
    });
    return missing;
  };
  switch (waiting_) {
    case Waiting::exchange:
    case Waiting::sum:
      if (is_loose())
        return fmt::format("exchange {} of round {} with agents {}", wait_state_->uncommon.loose->inbox.key().number,
                           wait_state_->uncommon.loose->inbox.key().round, fmt::join(missing_neighbors(), ", "));
      return fmt::format("exchange {} with agents {}", wait_state_->inbox.count(),
                         fmt::join(missing_neighbors(), ", "));
    case Waiting::message:
    case Waiting::latest:
    case Waiting::event:
      return "any message";
    case Waiting::receipts:
      return fmt::format("the arrival of {} of its messages", wait_state_->uncommon.under_way);
    case Waiting::collect:
      return fmt::format("round {} of agents {}", wait_state_->uncommon.collecting->present.round,
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
