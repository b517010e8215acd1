#pragma once

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/agents/agent_commons.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/gossip_row.hpp"
#include "sim/base/types.hpp"
#include "sim/exchange/lockstep_inbox.hpp"
#include "sim/exchange/lossy_inbox.hpp"
#include "sim/exchange/message.hpp"
#include "sim/exchange/message_table.hpp"
#include "sim/exchange/neighbor_sums.hpp"
#include "sim/machine/frame_pool.hpp"

namespace lagnet {

/// The answers that an agent collects: of one round and tag, from the members of a cohort, until enough are there or
/// the deadline has passed.
struct Collection {
  Round round = 0;
  MessageTag tag = 0;
  std::vector<AgentId> cohort;        // ascending, each once
  std::vector<std::uint32_t> slots;   // of the members: their places among the neighbors
  std::vector<std::uint32_t> places;  // by slot: 1 + the place in the cohort, 0 for others
  std::vector<bool> came;             // whether a message of this member is there
  std::size_t answered = 0;           // members of whom one is
  std::size_t enough = 0;
  bool expired = false;
  bool closed() const { return expired || answered >= enough; }
};

/// The state of an agent behind its public calls: what it waits for, and what has come so far. An agent waits for one
/// thing at a time.
class alignas(64) AgentState {  // one cache line
 public:
  struct Seat {
    AgentId id;
    AgentCommons* commons;
    Seat(AgentId agent, AgentCommons& shared) : id(agent), commons(&shared) {}
  };
  AgentState(const AgentState&) = delete;
  AgentState& operator=(const AgentState&) = delete;

 protected:
  AgentState(Seat seat) : id_(seat.id), commons_(*seat.commons) {}  // NOLINT: made from a row of seats
  ~AgentState() = default;

  enum class Waiting : std::uint8_t { nothing, start, exchange, sum, message, latest, event, collect, receipts, timer };

  struct LossyExchange {
    LossyInbox inbox;
    std::vector<Message> closed = {};  // the last one's messages, by slot
    std::vector<std::uint32_t> absent = {};
  };
  struct Summing : Pooled {
    const GossipRow* row = nullptr;
    Payload own;
    PooledVector<AgentId> senders;     // whose vectors are added up, where some are missing
    PooledVector<const double*> rows;  // the summed vectors
    PooledVector<double> weights;      // of the rows, where there is a gossip row
    Index size = 0;                    // of the vectors
    bool has_numbers = true;           // or only a size
    SumSink taker;
    ThrownPiece thrown;
    Vector sum;  // unless a receiver takes it piece by piece
  };
  struct Collecting {
    Collection present;
    std::map<MessageTag, Round> latest;  // that was collected, for each tag
    bool keeps_times = false;
    std::vector<std::pair<AgentId, Time>> times;  // when what was taken last had come, by sender
  };
  /// Of an agent that waits for whatever comes first, perhaps while it computes.
  struct Serving {
    Time until, finish;         // of the wait; of the computation
    bool is_computing = false;  // the computation has begun, and its end was not taken
    bool has_finished = false;
    bool is_time = false;  // the wait's
  };
  /// State that is made only when an agent exchanges, collects or computes, each part when it is first needed: a
  /// million agents take no memory for unused state. The state of most agents fits into two cache lines.
  struct WaitState : Pooled {
    LockstepInbox inbox;
    bool prepared = false;       // the rows of the present sum are collected
    bool summed = false;         // and added up
    std::uint64_t deferred = 0;  // above 0: the sum is noted, and the inbox kept for it
    std::unique_ptr<Summing> summing;
    Job job;
    struct {
      std::unique_ptr<LossyExchange> loose;  // instead of the inbox
      std::unique_ptr<Collecting> collecting;
      std::unique_ptr<Serving> serving;
      Index size = 0;               // of the vectors of the present sum, if they have no numbers
      std::uint32_t under_way = 0;  // messages sent with a receipt
      std::optional<Time> drawn;    // messages that came then are in the order that was drawn
      std::uint8_t life = 1;        // that crashes end, from 1; after 255 from 1 again
    } uncommon;
  };
  WaitState& wait_state() {
    if (!wait_state_) wait_state_ = std::make_unique<WaitState>();
    return *wait_state_;
  }

  std::uint8_t life() const { return wait_state_ ? wait_state_->uncommon.life : std::uint8_t{1}; }

  // The world

  Time now() const { return commons_.world().now(); }
  std::span<const AgentId> neighbors() const { return commons_.network().neighbors(id_); }
  std::span<const AgentId> in_neighbors() const { return commons_.network().in_neighbors(id_); }
  Index degree() const { return static_cast<Index>(neighbors().size()); }
  Index in_degree() const { return static_cast<Index>(in_neighbors().size()); }
  bool is_alone() const { return degree() == 0 && in_degree() == 0; }
  bool timing_only() const { return commons_.timing_only(); }
  bool is_loose() const { return commons_.exchanges_are_loose(); }
  bool is_down() const { return commons_.model().availability && !commons_.model().availability->up(id_, now()); }
  /// An event that concerns this agent alone, at this moment.
  SimEvent event(EventKind kind, Round round) const {
    return {.at = now(), .what = kind, .agent = id_, .peer = id_, .round = round};
  }
  template <class Make>
  void note(Make&& make) {
    commons_.world().note(std::forward<Make>(make));
  }

  // Waiting

  bool satisfied() const {
    if (waiting_ == Waiting::message) return !mail_.empty();
    if ((waiting_ == Waiting::sum || waiting_ == Waiting::exchange) && !is_loose())
      return wait_state_->inbox.complete();
    return is_satisfied();
  }
  void suspend(std::coroutine_handle<> waiting) {
    if (waiting != coroutine_) {  // so that others need not fetch where the task is kept
      coroutine_ = waiting;
      is_in_awaited_ = commons_.is_awaited(id_, waiting);
    }
    suspended_ = true;
    wait_began_ = now();
  }
  void check_ready() {
    if (!suspended_ || ready_ || (waiting_ != Waiting::start && !satisfied())) return;
    ready_ = true;
    commons_.ready(id_, waiting_ == Waiting::sum);
  }
  /// Whether it waited for something other than a timer or its computation; for its start only if it was down.
  bool has_waited() const {
    if (waiting_ == Waiting::event) return !is_computing();
    return waiting_ != Waiting::timer && (waiting_ != Waiting::start || now() > wait_began_);
  }
  /// Whether a computation is under way while the agent serves, or its end was not taken.
  bool is_computing() const {
    return wait_state_ && wait_state_->uncommon.serving && wait_state_->uncommon.serving->is_computing;
  }
  SimEvent wait() const;  // the present one, up to now
  /// That time, or the time after it when this agent is up again; never if it does not come back.
  void wake_me_at(Time at) {
    const Availability* availability = commons_.model().availability.get();
    if (availability && at != Time::never()) at = availability->next_up(id_, at);
    if (at != Time::never() || !availability) commons_.world().wake_at(at, id_, ++ticket_);
  }
  void note_wait() {
    note([this] { return wait(); });
  }
  bool has_deferred() const { return wait_state_ && wait_state_->deferred > 0; }
  void check_computed() const {
    LAGNET_CHECK(!has_deferred(), "agent {} has not computed since it got the pieces of a sum", id_);
  }

  // Messages

  Message outgoing(Round round, Payload&& body, MessageTag tag) {
    check_computed();
    if (timing_only()) check_timing_only(body);
    round_ = std::max(round_, round);
    Message message(id_, round, tag, std::move(body));
    message.hops = hops_ + 1;
    if (commons_.may_restart()) message.life = life();
    return message;
  }
  /// Where rounds of agents belong together, one of an earlier round is stale.
  void took(Message& message) {
    took_next(message);
    if (message.staleness > 0) note_stale(message);
  }
  void took_next(Message& message) {
    message.staleness = static_cast<std::int32_t>(round_ - message.round);
    hops_ = std::max(hops_, message.hops);
    if (commons_.world().hears_takes()) note_take(message.from, message.round);
  }
  void note_take(AgentId from, Round round);
  void drop(const Message& message, EventKind why);
  /// The sender's place in the cohort of the present collection, if this message is collected.
  std::optional<std::size_t> member_of(const Message& message, std::uint32_t slot) const;
  void tick_off(const Message& message, std::uint32_t slot);  // its sender, in the present collection

  const AgentId id_;
  Waiting waiting_ = Waiting::nothing;
  bool suspended_ = false;
  bool ready_ = false;
  std::uint8_t frame_lines_ : 7 = 0;    // cache lines of its task's frame, of which 16 are worth fetching ahead
  std::uint8_t is_in_awaited_ : 1 = 0;  // true while a child task, not the agent's own, is suspended
  std::uint32_t ticket_ = 0;            // of the timer that may end the present wait
  std::uint32_t hops_ = 0;              // messages on the longest causal chain that ends here
  Round round_ = 0;
  Time wait_began_;
  AgentCommons& commons_;
  std::coroutine_handle<> coroutine_;
  Mailbox mail_;  // messages outside of exchanges
  std::unique_ptr<WaitState> wait_state_;

 private:
  bool is_satisfied() const;
  void note_stale(const Message& message);
  void check_timing_only(const Payload& body) const;
};
static_assert(sizeof(AgentState) == 64);

}  // namespace lagnet
