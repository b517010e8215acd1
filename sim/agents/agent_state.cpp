#include "sim/agents/agent_state.hpp"

namespace lagnet {

bool AgentState::is_satisfied() const {
  switch (waiting_) {
    case Waiting::exchange:
    case Waiting::sum:
      if (is_alone()) return true;
      return is_loose() ? wait_state_->uncommon.loose->inbox.complete() : wait_state_->inbox.complete();
    case Waiting::message:
    case Waiting::latest:
      return !mail_.empty();
    case Waiting::event: {
      const Serving& serving = *wait_state_->uncommon.serving;
      return !mail_.empty() || serving.has_finished || serving.is_time;
    }
    case Waiting::collect:
      return wait_state_->uncommon.collecting->present.closed();
    case Waiting::receipts:
      return wait_state_->uncommon.under_way == 0;
    case Waiting::nothing:
      return true;
    case Waiting::start:
    case Waiting::timer:
      return false;
  }
  return false;
}

SimEvent AgentState::wait() const {
  SimEvent waited = event(EventKind::waited, round_);
  const auto& availability = commons_.model().availability;
  if (availability) waited.amount = availability->down_time(id_, wait_began_, now()).ns();
  waited.duration = now() - wait_began_;
  return waited;
}

void AgentState::drop(const Message& message, EventKind why) {
  note([&] {
    SimEvent dropped = event(why, message.round);
    dropped.peer = message.from;
    dropped.amount = 1;
    return dropped;
  });
}

void AgentState::note_stale(const Message& message) {
  note([&] {
    SimEvent stale = event(EventKind::stale, message.round);
    stale.peer = message.from;
    stale.amount = message.staleness;
    return stale;
  });
}

void AgentState::note_take(AgentId from, Round round) {
  note([&] {
    SimEvent took = event(EventKind::took, round);
    took.peer = from;
    return took;
  });
}

void AgentState::check_timing_only(const Payload& body) const {
  LAGNET_CHECK(body && (body.size() == 1 || !body.has_numbers()),
               "agent {} sends {} numbers in a timing-only run, where bodies have sizes alone", id_, body.size());
}

std::optional<std::size_t> AgentState::member_of(const Message& message, std::uint32_t slot) const {
  const Collection& collection = wait_state_->uncommon.collecting->present;
  const std::uint32_t place = collection.places[slot];
  if (place == 0 || message.round != collection.round || message.tag != collection.tag) return std::nullopt;
  if (message.is_answer && message.life != life()) return std::nullopt;  // a crash has lost that this agent asked
  return place - 1;
}

void AgentState::tick_off(const Message& message, std::uint32_t slot) {
  const auto member = member_of(message, slot);
  if (!member) return;
  Collection& collection = wait_state_->uncommon.collecting->present;
  if (!collection.came[*member]) ++collection.answered;
  collection.came[*member] = true;
}

}  // namespace lagnet
