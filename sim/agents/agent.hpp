#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/agents/collection.hpp"
#include "sim/agents/runtime.hpp"
#include "sim/agents/task.hpp"
#include "sim/base/array.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/state_vector.hpp"
#include "sim/exchange/lockstep_inbox.hpp"
#include "sim/exchange/lossy_inbox.hpp"
#include "sim/exchange/message.hpp"
#include "sim/exchange/message_table.hpp"
#include "sim/exchange/neighbor_sums.hpp"

namespace lagnet {

/// One row of a gossip matrix W: an agent's weight for itself and for each neighbor, in the order of neighbors().
struct GossipRow {
  double own = 0;
  std::vector<double> neighbors;
};

/// What an algorithm's coroutine sees of the world. Every call that has to be awaited returns a one-pointer awaitable;
/// an agent waits for one thing at a time. Whatever stands behind `co_await` is resumed by the run loop alone.
class alignas(64) Agent {  // one cache line
 public:
  struct Seat {
    AgentId id;
    Runtime* runtime;
    Seat(AgentId agent, Runtime& world) : id(agent), runtime(&world) {}
  };
  Agent(Seat seat) : id_(seat.id), runtime_(*seat.runtime) {}  // NOLINT: a vector of agents is made from a row of seats
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  AgentId id() const { return id_; }
  std::span<const AgentId> neighbors() const { return runtime_.network().neighbors(id_); }  // ascending
  Index degree() const { return static_cast<Index>(neighbors().size()); }
  Time now() const { return runtime_.now(); }
  /// This agent's random numbers for a purpose and round.
  Draws draws(Purpose purpose, Round round) const { return {runtime_.seed(), purpose, id_, round}; }

  /// Whether this is a run without numbers. Time, messages and accounts are those of the run with numbers, but kernels
  /// are not run, report() reports no parts, and vectors that come out of vector(), neighbor_sum() and neighbor_mix()
  /// have a size and no numbers. A body need not ask, as long as it touches numbers in kernels alone.
  bool timing_only() const { return runtime_.is_timing_only(); }
  /// A vector of this agent's state: zeros.
  StateVector vector(Index size) const { return timing_only() ? StateVector::of_size(size) : StateVector::zeros(size); }
  /// A vector to be written by a kernel and then sent.
  Payload::Draft draft(Index size) const {
    return timing_only() ? Payload::Draft::of_size(size) : Payload::Draft(size);
  }

  /// Sends without waiting. Throws std::invalid_argument when there is no link to the receiver.
  void send(AgentId to, Round round, Payload body, MessageTag tag = 0) {
    const LinkId link = runtime_.network().find(id_, to);
    if (link == no_link) no_link_to(to);
    send_over(link, round, std::move(body), tag, 0);
  }
  void broadcast(Round round, Payload body, MessageTag tag = 0);
  /// The same as send(), for one whose arrival this agent waits for: arrivals().
  void send_with_receipt(AgentId to, Round round, Payload body, MessageTag tag = 0);

  template <class Taker>
  struct [[nodiscard]] Wait {
    Agent* me;
    explicit Wait(Agent* agent) noexcept : me(agent) {}
    bool await_ready() const { return me->satisfied(); }
    void await_suspend(std::coroutine_handle<> waiting) const { me->suspend(waiting); }
    decltype(auto) await_resume() const { return Taker::take(*me); }
  };

  /// From now on this agent is in that round, unless it is in a later one: what it computes counts for it. An agent
  /// that reports or sends is in those rounds anyway; one that is asked to compute first says so here.
  void enter(Round round) { round_ = std::max(round_, round); }

  // Exchanges with the neighbors. Where the scenario lets messages be missing, changes the topology from round to round
  // or has crashes that lose an agent's state, an exchange is one of the round that began with the last report, and all
  // agents must report alike; it gives what came, or the last value instead, and absent() says whose is not in it.

  /// Sends to every neighbor and waits for theirs of the same exchange: the messages in the order of neighbors().
  auto exchange(Payload body) {
    return begin_exchange(std::move(body), Waiting::exchange, nullptr, {}), Wait<TakeExchange>(this);
  }
  /// The same, giving the sum of the neighbors' vectors, added in the order that neighbor_sums.hpp tells; zeros without
  /// neighbors. Of bodies without numbers it is a vector of their size without numbers.
  auto neighbor_sum(Payload body) {
    return begin_exchange(std::move(body), Waiting::sum, nullptr, {}), Wait<TakeSum>(this);
  }
  /// The same, giving own * body + sum of weights[k] * (vector of the k-th neighbor). The row must outlive the wait.
  auto neighbor_mix(Payload body, const GossipRow& row) {
    return begin_exchange(std::move(body), Waiting::sum, &row, {}), Wait<TakeSum>(this);
  }
  /// Sum or mix (where a row is given) handed over piece by piece while it is in the cache: use(first, own, sum) gets
  /// the entries first, first + 1, .. of the body and of the sum. Pieces cover all entries, in any order, perhaps at
  /// the same time on other threads: what is done with an entry may touch this agent's state for that entry only. It
  /// is done before the kernel of the computation that must follow, which is the first to see it. Name it first, as a
  /// kernel. What it throws comes out of that computation.
  template <std::invocable<Index, VectorView, VectorView> Use>
  auto stream_neighbor_sum(Payload body, const GossipRow* row, Use& use) {
    const auto take = [](const void* context, Index first, VectorView own, VectorView sum) {
      (*static_cast<const Use*>(context))(first, own, sum);
    };
    return begin_exchange(std::move(body), Waiting::sum, row, {take, &use, {}}), Wait<TakePieces>(this);
  }
  template <std::invocable<Index, VectorView, VectorView> Use>
  void stream_neighbor_sum(Payload body, const GossipRow* row, Use&& use) = delete;
  void neighbor_mix(Payload body, GossipRow&& row) = delete;
  /// The neighbors, by their places among neighbors(), whose values the last exchange does not contain.
  std::span<const std::uint32_t> absent() const {
    return is_loose() && kit_ && kit_->rare.loose ? std::span<const std::uint32_t>(kit_->rare.loose->absent)
                                                  : std::span<const std::uint32_t>();
  }
  /// The round to go on with after a finished one, and of the exchanges that follow: the next, or that which the
  /// neighbors are in if they have left this agent behind.
  Round next_round(Round finished);

  /// Whom to ask in a round, from now on, out of the neighbors: as the scenario's participation says.
  Cohort cohort(Round round) const;

  /// The messages of that round and tag from the cohort that come up to the deadline, in the order of their senders;
  /// returns as soon as all are there. A message of a round that was collected is counted late when it comes, and
  /// dropped.
  auto collect(Round round, std::vector<AgentId> cohort, Time deadline = Time::never(), MessageTag tag = 0) {
    Cohort all(std::move(cohort));
    all.deadline = deadline;
    return begin_collect(round, std::move(all), tag), Wait<TakeCollected>(this);
  }
  /// The same, closed early when enough of the cohort have answered: the first ones are taken.
  auto collect(Round round, Cohort cohort, MessageTag tag = 0) {
    return begin_collect(round, std::move(cohort), tag), Wait<TakeCollected>(this);
  }
  /// The next message in order of arrival.
  auto receive() { return begin_receive(Waiting::message), Wait<TakeMessage>(this); }
  /// The newest message: that of the latest round, among these the last to come. Older ones count as superseded. The
  /// agent is in the message's round then, as enter() says.
  auto receive_latest() { return begin_receive(Waiting::latest), Wait<TakeLatest>(this); }

  /// Runs the kernel, which may touch this agent's state only, perhaps on another thread, and lets the time of this
  /// work pass. Both are over when the agent goes on. Name the kernel first: g++ 12 destroys a lambda twice that is
  /// written inside the co_await expression.
  template <std::invocable Kernel>
  auto compute(Cost work, Kernel& kernel) {
    if (timing_only()) return compute(work);
    Job& job = kit().job;
    job.run = [](const void* context) { (*static_cast<const Kernel*>(context))(); };
    job.context = &kernel;
    return begin_compute(work), Wait<TakeNothing>(this);
  }
  template <std::invocable Kernel>
  void compute(Cost work, Kernel&& kernel) = delete;
  auto compute(Cost work) {
    if (kit_) kit_->job.run = nullptr;
    return begin_compute(work), Wait<TakeNothing>(this);
  }
  /// Let the time pass that the encryption or decryption of so many numbers takes, or so many additions of ciphertexts;
  /// where it is none, the agent goes on at once.
  auto encrypt(std::int64_t scalars) { return begin_cipher(&CipherCosts::encrypt, scalars), Wait<TakeNothing>(this); }
  auto decrypt(std::int64_t scalars) { return begin_cipher(&CipherCosts::decrypt, scalars), Wait<TakeNothing>(this); }
  auto add_ciphertexts(std::int64_t additions) {
    return begin_cipher(&CipherCosts::add, additions), Wait<TakeNothing>(this);
  }
  /// Waits until all that this agent has sent with a receipt has arrived: where a round of the method is over only with
  /// its last message on the way out. A receipt costs neither time nor bytes, and what follows is counted as a
  /// consequence of the message, so that half a round trip is half a one.
  auto arrivals() {
    check_computed();
    kit();
    waiting_ = Waiting::receipts;
    return Wait<TakeNothing>(this);
  }
  auto sleep(Duration duration) { return begin_sleep(duration), Wait<TakeNothing>(this); }

  /// Hands the parts of the iterate after a round to the recorder; takes no simulated time. Messages and flops that
  /// follow belong to the next round.
  template <class... Parts>
  void report(Round round, const Parts&... parts) {
    if (timing_only()) return report_views(round, {});
    const std::array<VectorView, sizeof...(Parts)> views{VectorView(parts.data(), parts.size())...};
    report_views(round, views);
  }

  // What follows is for the runtime.
  void start(const Task<>& task);
  /// Whether a message goes into the mailbox as it is.
  bool keeps(const Message& message) const {
    return !message.copy && message.tag != exchange_tag && !(kit_ && kit_->rare.collecting && is_late(message));
  }
  /// The message at that place, by its sender's place among the neighbors.
  void keep(std::uint32_t at, MessagePlace& place, std::uint32_t slot) {
    if (waiting_ == Waiting::collect) tick_off(place.message, slot);
    runtime_.messages().keep(mail_, at, place, slot);
    check_ready();
  }
  void deliver(Message&& message, std::uint32_t slot);
  /// One of an exchange that waits for all, which is none of the others.
  void deliver_strictly(const Message& message, std::uint32_t slot) {
    if (!kit().inbox.put(message, slot, neighbors().size())) out_of_turn(message);
    check_ready();
  }
  /// A message of this agent's that was sent with a receipt has arrived.
  void arrived(const Message& message);
  void wake(std::uint32_t ticket);
  bool prepare_sum() { return waiting_ == Waiting::sum && prepare_due_sum(); }  // true if a sum is due at once
  NeighborSum due_sum();             // what neighbor_sum or neighbor_mix gives
  void restart(const Task<>& task);  // forgets everything and starts again
  void forget();                     // everything, and waits for nothing any more
  void resume() {                    // ends the wait and runs the coroutine until its next one
    LAGNET_CHECK(suspended_ && ready_, "agent {} is resumed while it does not wait", id_);
    suspended_ = ready_ = false;
    if (runtime_.is_heard() && has_waited()) note_wait();
    coroutine_.resume();
  }
  bool waits() const { return suspended_; }  // its coroutine has not ended
  // Fetches from memory what it will use: first what it keeps beside itself; then, knowing that, where it puts the
  // message that comes, and what it goes on with, if it goes on: its frames and what it adds up.
  void prefetch_kit() const {
    if (kit_) prefetch_lines(kit_.get(), offsetof(Kit, rare));
  }
  bool exchanges() const { return (waiting_ == Waiting::sum || waiting_ == Waiting::exchange) && !is_loose(); }
  bool goes_on_with(const Message& message) const { return kit_ && kit_->inbox.completed_by(message); }
  void prefetch_place(const Message& message, std::uint32_t slot) const {
    if (kit_) kit_->inbox.prefetch_place(message, slot);
  }
  void prefetch_frames() const {
    constexpr std::size_t awaited = 128;  // of one that another awaits, about what it has
    if (is_in_awaited_) prefetch_lines(coroutine_.address(), awaited);
    const auto outermost = is_in_awaited_ ? runtime_.task(id_).handle() : coroutine_;
    prefetch_lines(outermost.address(), frame_lines_ * line);
  }
  void prefetch_sum() const {
    if (kit_ && kit_->summing) prefetch_lines(kit_->summing.get(), sizeof(Summing));
  }
  void settle();  // waits for a kernel of this agent that is still running
  /// Its coroutine has ended, and what takes the pieces of a sum with it. False if it had still to compute with them.
  bool end();
  bool waits_for_time() const { return waiting_ == Waiting::timer || waiting_ == Waiting::start; }
  std::string waits_for() const;  // for the deadlock report

 private:
  enum class Waiting : std::uint8_t { nothing, start, exchange, sum, message, latest, collect, receipts, timer };
  struct TakeExchange {
    static std::vector<Message> take(Agent& me) { return me.take_exchange(); }
  };
  struct TakeSum {
    static StateVector take(Agent& me) { return me.take_sum(); }
  };
  struct TakePieces {
    static void take(Agent& me) { me.finish_pieces(); }
  };
  struct TakeCollected {
    static std::vector<Message> take(Agent& me) { return me.take_collected(); }
  };
  struct TakeMessage {
    static Message take(Agent& me) { return me.take_message(); }
  };
  struct TakeLatest {
    static Message take(Agent& me) { return me.take_latest(); }
  };
  struct TakeNothing {
    static void take(Agent& me) { me.take_timer(); }
  };

  void begin_exchange(Payload body, Waiting kind, const GossipRow* row, SumSink taker);
  void begin_loose_exchange(Message&& message);
  void begin_collect(Round round, Cohort cohort, MessageTag tag);
  void begin_receive(Waiting kind) {
    check_computed();
    waiting_ = kind;
  }
  void begin_compute(Cost work);
  void begin_cipher(Duration CipherCosts::*each, std::int64_t scalars);
  void begin_sleep(Duration duration);
  void begin_timer(Duration duration);
  bool satisfied() const {
    if (waiting_ == Waiting::message) return !mail_.empty();
    if ((waiting_ == Waiting::sum || waiting_ == Waiting::exchange) && !is_loose()) return kit_->inbox.complete();
    return is_satisfied();
  }
  bool is_satisfied() const;
  void suspend(std::coroutine_handle<> waiting) {
    if (waiting != coroutine_) {  // so that others need not fetch where the task is kept
      coroutine_ = waiting;
      is_in_awaited_ = runtime_.is_awaited(id_, waiting);
    }
    suspended_ = true;
    wait_began_ = now();
  }
  void check_ready() {
    if (!suspended_ || ready_ || (waiting_ != Waiting::start && !satisfied())) return;
    ready_ = true;
    runtime_.ready(id_, waiting_ == Waiting::sum);
  }
  [[noreturn]] void no_link_to(AgentId to) const;
  [[noreturn]] void out_of_turn(const Message& message) const;
  bool deliver_loosely(Message&& message, std::uint32_t slot);  // false if it is of no use
  /// Whether it waited for something other than a timer; for its start only if it was down.
  bool has_waited() const { return waiting_ != Waiting::timer && (waiting_ != Waiting::start || now() > wait_began_); }
  void note_wait();
  bool is_late(const Message& message) const;  // its round was collected
  /// The sender's place in the cohort of the present collection, if this message is collected.
  std::optional<std::size_t> member_of(const Message& message, std::uint32_t slot) const;
  void tick_off(const Message& message, std::uint32_t slot);  // its sender, in the present collection

  bool is_loose() const { return runtime_.exchanges_are_loose(); }
  bool is_down() const { return runtime_.rules().availability && !runtime_.rules().availability->up(id_, now()); }
  void close_loose_exchange();
  std::vector<Message> take_exchange();
  bool prepare_due_sum();
  void collect_rows();
  void collect_row(const Payload& body, std::size_t slot);
  void finish_pieces();
  bool has_deferred() const { return kit_ && kit_->deferred > 0; }
  void need_pieces();
  void check_computed() const {
    LAGNET_CHECK(!has_deferred(), "agent {} has not computed since it got the pieces of a sum", id_);
  }
  void clear_inbox();
  StateVector take_sum();
  std::vector<Message> take_collected();
  void note_collected(std::size_t taken, const std::vector<bool>& answered, std::size_t answers);
  Message take_message() {
    waiting_ = Waiting::nothing;
    Message message = runtime_.messages().take_first(mail_);
    took(message);
    return message;
  }
  Message take_latest();
  void take_timer();
  void took(Message& message) {
    message.staleness = static_cast<std::int32_t>(round_ - message.round);
    hops_ = std::max(hops_, message.hops);
    if (message.staleness > 0 && runtime_.is_heard()) note_stale(message);
  }
  Message taken_from(const LockstepInbox::Entry& entry, std::size_t slot);
  void note_stale(const Message& message);
  void drop(const Message& message, EventKind why);
  void report_views(Round round, std::span<const VectorView> parts);
  void check_timing_only(const Payload& body) const;
  void write(Message& message, Round round, Payload&& body, MessageTag tag) {
    if (timing_only()) check_timing_only(body);
    round_ = std::max(round_, round);
    message.from = id_;
    message.tag = tag;
    message.round = round;
    message.hops = hops_ + 1;
    message.body = std::move(body);
  }
  Message outgoing(Round round, Payload&& body, MessageTag tag) {
    check_computed();
    Message message;
    write(message, round, std::move(body), tag);
    return message;
  }
  /// Written where it lies until it is taken, so that it is not copied.
  void send_over(LinkId link, Round round, Payload&& body, MessageTag tag, std::uint8_t receipt) {
    check_computed();
    MessageTable& messages = runtime_.messages();
    const std::uint32_t slot = messages.take();
    MessagePlace& place = messages[slot];
    Message& message = place.message;
    write(message, round, std::move(body), tag);
    message.exchange = 0;
    message.copy = false;
    message.receipt = receipt;
    runtime_.send(link, slot, place);
  }

  std::vector<std::uint32_t> slots_of(const std::vector<AgentId>& cohort) const;

  struct LossyExchange {
    LossyInbox inbox;
    std::vector<Message> closed = {};  // what the last one gave, by slot
    std::vector<std::uint32_t> absent = {};
  };
  struct Summing : Pooled {
    const GossipRow* row = nullptr;
    Payload own;
    PooledVector<AgentId> senders;     // whose vectors are added up, where some are missing
    PooledVector<const double*> rows;  // what is added up
    PooledVector<double> weights;      // of the rows, where there is a gossip row
    Index size = 0;                    // of the vectors
    bool has_numbers = true;           // or only a size
    SumSink taker;
    ThrownPiece thrown;
    Vector sum;  // where nobody takes it piece by piece
  };
  struct Collecting {
    Collection present;
    std::map<MessageTag, Round> latest;  // that was collected, for each tag
  };
  /// What an agent has only once it exchanges, collects or computes, each part when it is needed: a million agents do
  /// without what they do not use. What most of them use are two cache lines.
  struct Kit : Pooled {
    LockstepInbox inbox;
    bool prepared = false;       // the rows of the present sum are collected
    bool summed = false;         // and added up
    std::uint64_t deferred = 0;  // above 0: the sum is noted, and the inbox kept for it
    std::unique_ptr<Summing> summing;
    Job job;
    struct {
      std::unique_ptr<LossyExchange> loose;  // instead of the inbox
      std::unique_ptr<Collecting> collecting;
      Index size = 0;               // of the vectors of the present sum, if they have no numbers
      std::uint32_t under_way = 0;  // messages sent with a receipt
      std::uint8_t life = 1;        // that crashes end, from 1; after 255 from 1 again
    } rare;
  };
  static constexpr std::size_t line = 64;  // bytes
  static void prefetch_lines(const void* from, std::size_t bytes) {
    for (std::size_t k = 0; k < bytes; k += line) __builtin_prefetch(static_cast<const char*>(from) + k);
  }
  Kit& kit() {
    if (!kit_) kit_ = std::make_unique<Kit>();
    return *kit_;
  }
  bool adds() const { return kit_->summing && kit_->summing->has_numbers; }  // in the present exchange
  LossyExchange& loose();

  const AgentId id_;
  Waiting waiting_ = Waiting::nothing;
  bool suspended_ = false;
  bool ready_ = false;
  std::uint8_t frame_lines_ : 7 = 0;    // cache lines of its task's frame, of which 16 are worth fetching ahead
  std::uint8_t is_in_awaited_ : 1 = 0;  // whether what it waits in is no task of its own: that one awaits it
  std::uint32_t ticket_ = 0;            // of the timer that may end the present wait
  std::uint32_t hops_ = 0;              // messages on the longest causal chain that ends here
  Round round_ = 0;
  Time wait_began_;
  Runtime& runtime_;
  std::coroutine_handle<> coroutine_;
  Mailbox mail_;  // what is no part of an exchange
  std::unique_ptr<Kit> kit_;
};
static_assert(sizeof(Agent) == 64);

}  // namespace lagnet
