#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <coroutine>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/agents/agent_exchange.hpp"
#include "sim/base/array.hpp"
#include "sim/base/compute_cost.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/gossip_row.hpp"
#include "sim/base/state_vector.hpp"
#include "sim/exchange/message.hpp"
#include "sim/world/participation.hpp"

namespace lagnet {

/// What came first: a message, the end of a computation that start() began, or the time that was waited for.
struct AgentEvent {
  enum class Kind : std::uint8_t { message, finished, time };
  Kind kind = Kind::time;
  Message message;

  AgentEvent() {}
  explicit AgentEvent(Kind what) : kind(what) {}
};

/// All that an algorithm's coroutine sees of the world, and all that it may do. Every call that has to be awaited
/// returns an awaitable of one pointer; an agent waits for one thing at a time. The world alone resumes a coroutine
/// that waits.
class Agent : public AgentExchange {
 public:
  AgentId id() const { return id_; }
  // Both ascending. Where links go one way, neighbors() are those to whom this agent sends, and in_neighbors() those
  // whom it hears; else they are the same.
  using AgentExchange::degree;
  using AgentExchange::in_degree;
  using AgentExchange::in_neighbors;
  using AgentExchange::neighbors;
  using AgentExchange::now;
  // Which of in_neighbors(), by their places, the round of the next exchange has links from, and to how many of
  // neighbors(): all, unless the topology changes from round to round.
  using AgentExchange::receivers_of_round;
  using AgentExchange::senders_of_round;
  /// The round of the next exchange.
  Round round() const { return round_; }
  /// This agent's random numbers for a purpose and round.
  Draws draws(Purpose purpose, Round round) const { return {commons_.world().seed(), purpose, id_, round}; }

  /// The size of a number on the wire, for sizes of encodings.
  Bytes bytes_per_scalar() const { return commons_.world().bytes_per_scalar(); }
  /// Whether this is a run without numbers. Time, messages and accounts are those of the run with numbers, but kernels
  /// are not run, report() reports no parts, and vectors that come out of vector(), neighbor_sum() and neighbor_mix()
  /// have a size and no numbers. A body need not ask, as long as it touches numbers in kernels alone.
  using AgentExchange::timing_only;
  /// A vector of this agent's state: zeros.
  StateVector vector(Index size) const { return timing_only() ? StateVector::of_size(size) : StateVector::zeros(size); }
  /// A vector to be written by a kernel and then sent.
  Payload::Draft draft(Index size) const {
    return timing_only() ? Payload::Draft::of_size(size) : Payload::Draft(size);
  }

  /// Sends without waiting. Throws std::invalid_argument when there is no link to the receiver.
  void send(AgentId to, Round round, Payload body, MessageTag tag = 0) {
    const LinkId link = link_to(to);
    commons_.world().send(link, outgoing(round, std::move(body), tag));
  }
  /// Sends the answer to a request, to its sender and in its round. It comes too late where a crash has lost meanwhile
  /// what that agent knew of its request.
  void answer(const Message& request, Payload body, MessageTag tag = 0);
  void broadcast(Round round, Payload body, MessageTag tag = 0);
  /// As send(), with a receipt: arrivals() waits until the message has arrived.
  void send_with_receipt(AgentId to, Round round, Payload body, MessageTag tag = 0);

  /// Puts this agent into that round, unless it is in a later one: its later computations count for that round.
  /// report() and send() do the same; an agent that computes before either calls this.
  void enter(Round round) { round_ = std::max(round_, round); }

  // Exchanges with the neighbors. Where the scenario lets messages be missing, changes the topology from round to round
  // or has crashes that lose an agent's state, an exchange is one of the round that began with the last report, and all
  // agents must report alike; it returns the messages that arrived, or last values instead, and absent() lists the
  // missing neighbors.

  /// Sends to every neighbor and waits for theirs of the same exchange: the messages in the order of in_neighbors().
  auto exchange(Payload body) {
    return begin_exchange(std::move(body), Waiting::exchange, nullptr, {}), Wait<&Agent::take_exchange>(this);
  }
  /// The same with a vector for each neighbor, in the order of neighbors().
  auto exchange_each(std::span<const StateVector> bodies) {
    return begin_exchange_of_each(bodies), Wait<&Agent::take_exchange>(this);
  }
  /// The same, giving the sum of the neighbors' vectors, added in the order of neighbor_sums.hpp; zeros without
  /// neighbors. In a timing-only run the sum has a size and no numbers.
  auto neighbor_sum(Payload body) {
    return begin_exchange(std::move(body), Waiting::sum, nullptr, {}), Wait<&Agent::take_sum>(this);
  }
  /// The same, giving own * body + sum of weights[k] * (vector of the k-th neighbor). The row must outlive the wait.
  auto neighbor_mix(Payload body, const GossipRow& row) {
    return begin_exchange(std::move(body), Waiting::sum, &row, {}), Wait<&Agent::take_sum>(this);
  }
  /// Hands over the sum, or the mix if a row is given, piece by piece while it is in the cache: use(first, own, sum)
  /// gets the entries first, first + 1, .. of the body and of the sum. The pieces cover all entries, in any order,
  /// perhaps at the same time on several threads; so `use` may touch this agent's state for these entries only. A
  /// computation must follow. All calls of `use` end before its kernel runs, and what `use` throws comes out of that
  /// computation. Name `use` before the co_await, like a kernel.
  template <std::invocable<Index, VectorView, VectorView> Use>
  auto stream_neighbor_sum(Payload body, const GossipRow* row, Use& use) {
    const auto take = [](const void* context, Index first, VectorView own, VectorView sum) {
      (*static_cast<const Use*>(context))(first, own, sum);
    };
    return begin_exchange(std::move(body), Waiting::sum, row, {take, &use, {}}), Wait<&Agent::finish_pieces>(this);
  }
  template <std::invocable<Index, VectorView, VectorView> Use>
  void stream_neighbor_sum(Payload body, const GossipRow* row, Use&& use) = delete;
  void neighbor_mix(Payload body, GossipRow&& row) = delete;
  /// The neighbors, by their places among in_neighbors(), whose values the last exchange does not contain.
  std::span<const std::uint32_t> absent() const { return absent_neighbors(); }
  /// The round to go on with after a finished one; the exchanges that follow belong to it. It is the next round, or the
  /// neighbors' round if they have left this agent behind.
  Round next_round(Round finished) { return round_after(finished); }

  /// The neighbors to ask in a round that starts now, as the scenario's participation chooses them.
  Cohort cohort(Round round) const;
  /// The same where the choice is among all these candidates, of which some are neighbors of others.
  Cohort cohort_among(Round round, std::span<const AgentId> candidates) const;
  /// These neighbors, asked now under the scenario's rule for closing a round: for one of several questions of a round.
  Cohort cohort_of(std::vector<AgentId> members) const;

  /// The messages of that round and tag from the cohort that come up to the deadline, in the order of their senders;
  /// returns as soon as all are there. A message of a round that was collected is counted late when it comes, and
  /// dropped; so is an answer to what this agent asked before a crash took its state.
  auto collect(Round round, std::vector<AgentId> cohort, Time deadline = Time::never(), MessageTag tag = 0) {
    Cohort all(std::move(cohort));
    all.deadline = deadline;
    return begin_collect(round, std::move(all), tag), Wait<&Agent::take_collected>(this);
  }
  /// The same, closed early when enough of the cohort have answered: the first ones are taken. Where that divides
  /// answers of one instant, a draw for each sender and round says which of them.
  auto collect(Round round, Cohort cohort, MessageTag tag = 0) {
    return begin_collect(round, std::move(cohort), tag), Wait<&Agent::take_collected>(this);
  }
  /// From now on, answer_times() says when the messages came that the last collection took: ascending by sender.
  void time_answers();
  std::span<const std::pair<AgentId, Time>> answer_times() const { return wait_state_->uncommon.collecting->times; }
  /// The next message in order of arrival.
  auto receive() { return begin_receive(Waiting::message), Wait<&Agent::take_message>(this); }
  /// The same, for a rule that counts messages or whose result depends on their order: those of one instant are taken
  /// in an order that is drawn for each sender, round and tag.
  auto receive_drawn() { return begin_receive(Waiting::message), Wait<&Agent::take_drawn>(this); }
  /// The newest message: of those of the latest round the last to come. Older ones count as superseded, and so does
  /// what a sender sent before a crash took its state, if it has sent more since. The agent then enters the message's
  /// round, as by enter().
  auto receive_latest() { return begin_receive(Waiting::latest), Wait<&Agent::take_latest>(this); }

  // Without common rounds, an agent takes the messages that are there, or waits for the next event.

  /// All messages of that tag that are there, in order of arrival; perhaps none. It does not wait.
  std::vector<Message> drain(MessageTag tag = 0);
  /// The next message in order of arrival; nothing if none comes up to that time.
  auto receive_until(Time until) { return begin_receive_until(until), Wait<&Agent::take_message_until>(this); }
  /// The next event: the next message, the end of the computation that start() began, or that time. Of several at one
  /// instant, the message comes first and the time last.
  auto next_event(Time until = Time::never()) { return begin_event(until), Wait<&Agent::take_event>(this); }
  /// Begins an update as update() does, and returns at once; next_event() reports its end. Until then the agent may
  /// receive, send and report, and change state that the kernel does not use. The kernel must outlive the computation.
  template <std::invocable Kernel>
  void start(std::int64_t number, Cost work, Kernel& kernel) {
    set_job(kernel);
    begin_serving(number, work);
  }
  template <std::invocable Kernel>
  void start(std::int64_t number, Cost work, Kernel&& kernel) = delete;
  /// Work whose time is left out: it is counted, and the kernel runs at once, also while a computation is under way.
  template <std::invocable Kernel>
  void at_once(Flops flops, Kernel&& kernel) {
    note_work(flops);
    if (!timing_only()) kernel();
  }
  /// Reports to listeners that an update used the state of `from` of this age, in updates (0: its newest).
  void used(AgentId from, std::int64_t age);
  /// The same by the number of the report of `from` that it had then. Only the world knows how far `from` is by now: no
  /// agent of a network could know it. After a crash that deleted the state of `from`, the count starts again, and
  /// earlier state has the age of the whole new count.
  void used_report(AgentId from, Round report) {
    const Round last = commons_.last_report(from);
    used(from, report <= last ? last - report : last);
  }
  /// The scenario's clocks; null where there are none.
  const Clocks* clocks() const { return commons_.model().clocks.get(); }
  std::uint64_t seed() const { return commons_.world().seed(); }
  /// Reports to listeners that this many ticks of this agent's clock passed while it was down or busy.
  void missed(std::int64_t ticks);

  /// Lets the simulated time of this work pass.
  auto compute(Cost work) {
    if (wait_state_) wait_state_->job.run = nullptr;
    return begin_compute(work), Wait<&Agent::take_timer>(this);
  }
  /// Runs the kernel, perhaps on another thread, and lets the simulated time of this work pass; both are over when the
  /// agent goes on. The kernel may touch this agent's state only. Name it before the co_await: g++ 12 destroys a lambda
  /// twice if it is written inside that expression.
  template <std::invocable Kernel>
  auto compute(Cost work, Kernel& kernel) {
    set_job(kernel);
    return begin_compute(work), Wait<&Agent::take_timer>(this);
  }
  template <std::invocable Kernel>
  void compute(Cost work, Kernel&& kernel) = delete;
  /// compute() for what the method calls an update of this agent, its number-th from 0 on: the scenario may give such a
  /// computation another time than that of its work, and its number decides whether it is slow.
  template <std::invocable Kernel>
  auto update(std::int64_t number, Cost work, Kernel& kernel) {
    set_job(kernel);
    return begin_update(number, work), Wait<&Agent::take_timer>(this);
  }
  template <std::invocable Kernel>
  void update(std::int64_t number, Cost work, Kernel&& kernel) = delete;
  /// Let the time pass that it takes to encrypt numbers, decrypt them or add ciphertexts; the agent goes on at once if
  /// that time is 0.
  auto encrypt(std::int64_t scalars) {
    return begin_cipher(&CipherCosts::encrypt, scalars), Wait<&Agent::take_timer>(this);
  }
  auto decrypt(std::int64_t scalars) {
    return begin_cipher(&CipherCosts::decrypt, scalars), Wait<&Agent::take_timer>(this);
  }
  auto add_ciphertexts(std::int64_t additions) {
    return begin_cipher(&CipherCosts::add, additions), Wait<&Agent::take_timer>(this);
  }
  /// Waits until every message that this agent has sent with a receipt has arrived, for methods whose round ends only
  /// when its last outgoing message is there. A receipt costs neither time nor bytes. The wait adds one hop, so a
  /// message without an answer counts as half a round trip.
  auto arrivals() { return begin_arrivals(), Wait<&Agent::take_timer>(this); }
  auto sleep(Duration duration) { return begin_sleep(duration), Wait<&Agent::take_timer>(this); }

  /// Hands the parts of the iterate after a round to the recorder; takes no simulated time. Messages and flops that
  /// follow belong to the next round.
  template <class... Parts>
  void report(Round round, const Parts&... parts) {
    if (timing_only()) return report_views(round, {});
    const std::array<VectorView, sizeof...(Parts)> views{VectorView(parts.data(), parts.size())...};
    report_views(round, views);
  }

 protected:
  using AgentExchange::AgentExchange;
  ~Agent() = default;

 private:
  template <auto take>
  struct [[nodiscard]] Wait {
    Agent* me;
    explicit Wait(Agent* agent) noexcept : me(agent) {}
    bool await_ready() const { return me->satisfied(); }
    void await_suspend(std::coroutine_handle<> waiting) const { me->suspend(waiting); }
    auto await_resume() const { return (me->*take)(); }
  };

  LinkId link_to(AgentId to) const {
    const LinkId link = commons_.network().find(id_, to);
    if (link == no_link) no_link_to(to);
    return link;
  }
  [[noreturn]] void no_link_to(AgentId to) const;
  void report_views(Round round, std::span<const VectorView> parts);

  void begin_collect(Round round, Cohort cohort, MessageTag tag);
  std::vector<std::uint32_t> slots_of(const std::vector<AgentId>& cohort) const;
  std::vector<Message> take_collected();
  void keep_times(const std::vector<bool>& counts);
  std::vector<bool> counted_members() const;  // of the cohort: whose answers are taken
  std::uint64_t place_in_tie(AgentId sender, Round round, MessageTag tag) const;
  void note_collected(std::size_t taken, const std::vector<bool>& answered);

  void begin_receive(Waiting kind) {
    check_computed();
    waiting_ = kind;
  }
  Message take_message() {
    waiting_ = Waiting::nothing;
    Message message = commons_.messages().take_first(mail_);
    took_next(message);
    return message;
  }
  Message take_drawn();
  /// A wait without an end is that of receive(), which costs less than a wait for the first of several events.
  void begin_receive_until(Time until) {
    if (until == Time::never() && !is_computing())
      begin_receive(Waiting::message);
    else
      begin_event(until);
  }
  Message take_latest();
  void note_work(Flops flops);
  void begin_event(Time until);
  AgentEvent take_event();
  std::optional<Message> take_message_until();

  void begin_arrivals();
  template <class Kernel>
  void set_job(Kernel& kernel) {
    if (timing_only()) {
      if (wait_state_) wait_state_->job.run = nullptr;
      return;
    }
    Job& job = wait_state().job;
    job.run = [](const void* context) { (*static_cast<const Kernel*>(context))(); };
    job.context = &kernel;
  }
  void begin_compute(Cost work) { begin_timed_compute(work, round_, false); }
  void begin_update(std::int64_t number, Cost work) { begin_timed_compute(work, number, true); }
  void begin_timed_compute(Cost work, Round round, bool is_update);
  void begin_serving(std::int64_t number, Cost work);
  Duration note_computed(Cost work, Round round, bool is_update);
  void start_job();
  Time end_of(Duration duration);
  void begin_cipher(Duration CipherCosts::*each, std::int64_t scalars);
  void begin_sleep(Duration duration);
  void begin_timer(Duration duration);
  void take_timer();
};
static_assert(sizeof(Agent) == 64);

}  // namespace lagnet
