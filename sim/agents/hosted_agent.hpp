#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "sim/agents/agent.hpp"
#include "sim/agents/task.hpp"
#include "sim/machine/processor.hpp"

namespace lagnet {

/// The same agent as its pool sees it: how it starts, gets messages, is woken and goes on.
class HostedAgent final : public Agent {
 public:
  HostedAgent(Seat seat) : Agent(seat) {}  // NOLINT: a vector of agents is made from a row of seats

  void start(const Task<>& task);
  void forget();                     // everything, and waits for nothing any more
  void restart(const Task<>& task);  // forgets everything and starts again
  /// Its coroutine has ended, and with it the function that takes the pieces of a sum. False if a computation with them
  /// was still to come.
  bool end();
  void settle();  // waits for a kernel of this agent that is still running

  // Arrivals

  void deliver(Message&& message, std::uint32_t slot);
  /// Takes a message of an exchange that waits for all neighbors, and of no other kind.
  void deliver_strictly(const Message& message, std::uint32_t slot) { put_strictly(message, slot); }
  /// Whether a message goes into the mailbox as it is.
  bool keeps(const Message& message) const {
    return !message.copy && message.tag != exchange_tag &&
           !(wait_state_ && wait_state_->uncommon.collecting && is_late(message));
  }
  /// The message at that place, by its sender's place among the neighbors.
  void keep(std::uint32_t at, MessagePlace& place, std::uint32_t slot) {
    if (waiting_ == Waiting::collect) tick_off(place.message, slot);
    commons_.messages().keep(mail_, at, place, slot, now());
    check_ready();
  }
  /// A message of this agent's that was sent with a receipt has arrived.
  void arrived(const Message& message);
  void wake(std::uint32_t ticket);

  // Going on

  bool waits() const { return suspended_; }  // its coroutine has not ended
  /// Of an agent whose messages have the number of its last report, or an earlier one.
  Round last_report() const { return std::max<Round>(round_ - 1, 0); }
  bool waits_for_time() const { return waiting_ == Waiting::timer || waiting_ == Waiting::start; }
  std::string waits_for() const;  // for the deadlock report
  /// How long it has waited for others, or to be up for its start: what resume() would note now.
  std::optional<SimEvent> wait_under_way() const {
    return suspended_ && has_waited() ? std::optional(wait()) : std::nullopt;
  }
  bool prepare_sum() { return waiting_ == Waiting::sum && prepare_due_sum(); }  // true if a sum is due at once
  NeighborSum due_sum() { return sum_to_add(); }
  void resume() {  // ends the wait and runs the coroutine until its next one
    LAGNET_CHECK(suspended_ && ready_, "agent {} is resumed while it does not wait", id_);
    suspended_ = ready_ = false;
    if (has_waited()) note_wait();
    coroutine_.resume();
  }

  // Fetching from memory what it will use: first what it keeps beside itself; then, knowing that, where it puts the
  // message that comes, and what it goes on with, if it goes on: its frames and what it adds up.

  void prefetch_wait_state() const {
    if (wait_state_) prefetch(wait_state_.get(), offsetof(WaitState, uncommon));
  }
  bool exchanges() const { return (waiting_ == Waiting::sum || waiting_ == Waiting::exchange) && !is_loose(); }
  bool goes_on_with(const Message& message) const { return wait_state_ && wait_state_->inbox.completed_by(message); }
  void prefetch_place(const Message& message, std::uint32_t slot) const {
    if (wait_state_) wait_state_->inbox.prefetch_place(message, slot);
  }
  void prefetch_frames() const {
    constexpr std::size_t awaited = 128;  // of one that another awaits, about what it has
    if (is_in_awaited_) prefetch(coroutine_.address(), awaited);
    const auto outermost = is_in_awaited_ ? commons_.task(id_).handle() : coroutine_;
    prefetch(outermost.address(), frame_lines_ * cache_line);
  }
  void prefetch_sum() const {
    if (wait_state_ && wait_state_->summing) prefetch(wait_state_->summing.get(), sizeof(Summing));
  }

 private:
  bool is_late(const Message& message) const;  // its round was collected
};
static_assert(sizeof(HostedAgent) == 64);

}  // namespace lagnet
