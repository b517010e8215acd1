// What agents do that have no rounds together: take what is there, and wait for what comes first.
#include <algorithm>
#include <exception>
#include <utility>

#include "sim/agents/agent.hpp"

namespace lagnet {

std::vector<Message> Agent::drain(MessageTag tag) {
  check_computed();
  std::vector<Message> taken;
  commons_.messages().filter(mail_, [&](Message& message, std::uint32_t) {
    if (message.tag != tag) return true;
    took_next(message);
    taken.push_back(std::move(message));
    return false;
  });
  return taken;
}

Message Agent::take_drawn() {
  std::optional<Time>& drawn = wait_state().uncommon.drawn;
  MessageTable& messages = commons_.messages();
  if (const Time came = messages.first_came(mail_); drawn != came) {
    drawn = came;
    if (messages.begins_with_tie(mail_))
      messages.order_first_instant(mail_, [this](const Message& message) {
        return std::pair(place_in_tie(message.from, message.round, message.tag), message.from);
      });
  }
  return take_message();
}

void Agent::begin_serving(std::int64_t number, Cost work) {
  check_computed();
  auto& serving = wait_state().uncommon.serving;
  if (!serving) serving = std::make_unique<Serving>();
  const Time finish = end_of(note_computed(work, number, true));
  serving->is_computing = true;
  serving->has_finished = false;
  serving->finish = finish;
  start_job();
}

void Agent::begin_event(Time until) {
  check_computed();
  waiting_ = Waiting::event;
  auto& serving = wait_state().uncommon.serving;
  if (!serving) serving = std::make_unique<Serving>();
  serving->until = until;
  serving->is_time = until <= now();
  ++ticket_;  // what an earlier wait was for says nothing about this one
  if (satisfied()) return;
  const Time finish = serving->is_computing ? serving->finish : Time::never();
  if (const Time next = std::min(until, finish); next != Time::never()) wake_me_at(std::max(next, now()));
}

AgentEvent Agent::take_event() {
  waiting_ = Waiting::nothing;
  Serving& serving = *wait_state_->uncommon.serving;
  AgentEvent first(AgentEvent::Kind::time);
  if (!mail_.empty()) {
    first.kind = AgentEvent::Kind::message;
    first.message = commons_.messages().take_first(mail_);
    took_next(first.message);
  } else if (serving.has_finished) {
    first.kind = AgentEvent::Kind::finished;
    serving.is_computing = serving.has_finished = false;
    Job& job = wait_state_->job;
    if (job.run) commons_.workers().finish(job);
    job.run = nullptr;
    if (job.error) std::rethrow_exception(std::exchange(job.error, nullptr));
  }
  return first;
}

std::optional<Message> Agent::take_message_until() {
  if (waiting_ == Waiting::message) return take_message();
  LAGNET_CHECK(!is_computing(), "agent {} computes, and waits for a message alone", id_);
  AgentEvent first = take_event();
  if (first.kind != AgentEvent::Kind::message) return std::nullopt;
  return std::move(first.message);
}

void Agent::note_work(Flops flops) {
  LAGNET_CHECK(flops >= 0, "{} flops", flops);
  note([&] {
    SimEvent computed = event(EventKind::computed, round_);
    computed.amount = flops;
    return computed;
  });
}

void Agent::used(AgentId from, std::int64_t age) {
  note([&] {
    SimEvent used = event(EventKind::used, round_);
    used.peer = from;
    used.amount = age;
    return used;
  });
}

void Agent::missed(std::int64_t ticks) {
  note([&] {
    SimEvent missed = event(EventKind::missed, round_);
    missed.amount = ticks;
    return missed;
  });
}

}  // namespace lagnet
