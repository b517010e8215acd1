#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/agents/agent_pool.hpp"
#include "sim/agents/host.hpp"
#include "sim/agents/runtime.hpp"
#include "sim/agents/task.hpp"
#include "sim/engine/link_lists.hpp"
#include "sim/engine/radix_queue.hpp"
#include "sim/engine/tied_events.hpp"
#include "sim/exchange/message.hpp"
#include "sim/transport/link_order.hpp"
#include "sim/transport/transport.hpp"
#include "sim/world/compute.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

struct SimulationOptions {
  std::uint64_t seed = 1;
  unsigned threads = 1;      // results are the same bits for every number
  Time end = Time::never();  // no event after this time happens
  WireFormat wire;
  WorldModel model;
  bool timing_only = false;  // nothing is computed: agents send sizes, wait and let the times of their kernels pass
};

enum class EndReason {
  finished,    // every main coroutine has ended
  time_limit,  // the next event is after SimulationOptions::end
  time_ends,   // the next event is later than a Time can say, 292 years
  gone,        // the agents that have not ended are down for good
  stopped,     // by stop()
};

/// Why and when a run ended.
struct Ending {
  EndReason reason = EndReason::finished;
  Time last_report;  // the run's duration
  Time last_event;
  std::int64_t events = 0;  // taken from the queue
};

/// Looks at a world between two instants: every event up to a time is over, and none later has begun.
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// Gives the time to look at next, which is later; never if there is none.
  virtual Time look(Time at) = 0;
};

/// The simulated world: runs the agents' coroutines over a queue of timed events. Everything that happens at one
/// instant is a batch. First its messages and timers are applied, in the order of (agent that caused the event, that
/// agent's count of what it caused): a property of the event, whatever the queue went through before. Then the agents
/// whose waits ended are resumed, in the order in which they became ready.
class Simulation final : public Runtime, public Host, private Transport::World {
 public:
  /// Throws std::invalid_argument unless there is one speed for each agent of the network.
  Simulation(Network network, ComputeModel compute, SimulationOptions options);
  ~Simulation() override;

  Agent& agent(AgentId id) { return agents_[id]; }
  void spawn(AgentId id, Program program, Role role = Role::main) override {
    agents_.spawn(id, std::move(program), role);
  }
  /// An agent that is given a task instead of a program ends when a crash loses its state.
  void spawn(AgentId id, Task<> task, Role role = Role::main) { agents_.spawn(id, std::move(task), role); }
  std::span<const AgentId> neighbors(AgentId id) const override { return network_.neighbors(id); }
  const WorldModel& model() const override { return options_.model; }
  Bytes bytes_per_scalar() const override { return options_.wire.bytes_per_scalar; }
  bool timing_only() const override { return options_.timing_only; }
  void listen(Listener& listener);
  void record(Recorder& recorder) { recorder_ = &recorder; }
  /// Lets it look at that time first. Looking is no event: it changes nothing of the run, unless it ends it.
  void watch(Watcher& watcher, Time first) {
    watcher_ = &watcher;
    watch_at_ = first;
  }
  /// Lets the watcher look after the present instant as well, which must be no later than what it looks at next.
  void watch_this_instant() { watch_at_ = std::min(watch_at_, now_); }

  /// Runs until every main coroutine has ended, a limit is reached, or stop() is called. Throws Deadlock, or AgentError
  /// when a coroutine or kernel threw; InternalError, WorldLimit and Divergence pass through.
  Ending run();
  /// Ends the run after the coroutine that is running now. False if the run already has an end, which then stays.
  bool stop() { return end(EndReason::stopped); }

  /// What happened until now at each resource that has an effect, where some lie between agents and there is a
  /// transport; else nothing.
  std::optional<AccountsOfResources> resource_accounts() const {
    return transport_ ? transport_->resource_accounts(now_) : std::nullopt;
  }
  /// The activities that the end of the run cut off, by agent: waits become events only when they are over.
  std::vector<SimEvent> waits_under_way() const;

  std::uint64_t seed() const override { return options_.seed; }
  const Network& network() const override { return network_; }
  void send(LinkId link, Message&& message) override;
  void broadcast(Message&& message) override;
  void wake_at(Time at, AgentId agent, std::uint32_t ticket) override { schedule(at, Kind::timer, agent, ticket); }
  Duration compute_time(AgentId agent, Round round, Cost work, bool is_update) override {
    return compute_.time(agent, round, now_, work, is_update);
  }
  void report(AgentId agent, Round round, std::span<const VectorView> parts) override {
    last_report_ = now_;
    if (recorder_) recorder_->reported(agent, round, parts);
  }

 private:
  friend struct EngineProbe;  // for tests, to violate the checks
  using Kind = Event::Kind;
  void schedule(Time at, Kind kind, std::uint32_t subject, std::uint32_t detail) {
    queue_.push(at, Event(kind, subject, detail));
  }
  /// The part of a broadcast that arrives over these links, which lie one after the other in arrivals_.
  void schedule_arrivals(Time at, std::uint32_t slot, std::size_t begin, std::size_t end);
  // Those of a broadcast differ in little: what is common is set once, the rest for each link.
  SimEvent sending(const Message& message, Bytes bytes) const;
  void count_sent() {
    ++on_the_way_;
    ++serials_;
  }
  void tell_sent(LinkId link, SimEvent& what);
  void tell_sent(const Message& message, LinkId link, Bytes bytes);
  SimEvent delivery(const MessagePlace& place) const;
  void tell_delivered(const MessagePlace& place, LinkId link, SimEvent& what);
  /// Transmissions under way, by the events that wait for them to end and by the transfers that share bandwidth.
  std::int64_t count_pending();
  /// Whether their number is that of the messages sent and neither delivered nor lost.
  void check_conservation();
  void schedule_restarts();
  bool all_gone() const;  // of the main coroutines that have not ended
  void look_until(Time before);
  Time transport_now() const override { return now_; }
  void call_transport_at(Time at, std::uint32_t token) override { schedule(at, Kind::transport, 0, token); }
  void order_calls_of_this_instant() override { is_unordered_ = true; }
  std::uint64_t next_serial() override { return ++serials_; }
  bool is_active(LinkId link, Round round) override { return agents_.active(link, round); }
  void note_transmission(const SimEvent& what) override {
    if (what.what == EventKind::sent) ++on_the_way_;
    if (what.what == EventKind::delivered || what.what == EventKind::lost) --on_the_way_;
    note([&] { return what; });
  }
  void tell(const SimEvent& what) override {
    for (Listener* listener : listeners_[static_cast<std::size_t>(what.what)]) listener->on_event(what);
  }
  void hand_over(LinkId link, Message&& message) override { agents_.deliver(link, std::move(message)); }
  MessageTable& messages() { return agents_.messages(); }
  void run_instants();                                     // until the run has ended, or may have
  std::span<const EventQueue::Entry> order_tied_events();  // with the one popped last
  TiedEvents::Place place_of(Event event);
  void apply(Event event);
  void note_delivered(const MessagePlace& place, LinkId link);
  void deliver_alone(std::uint32_t slot, LinkId link);
  void deliver_to_each(std::uint32_t slot, const auto& links);
  bool is_strict(const Message& message) const {  // of an exchange that waits for all
    return message.tag == exchange_tag && !agents_.exchanges_are_loose();
  }
  bool end(EndReason reason) {
    if (end_reason_) return false;
    end_reason_ = reason;
    agents_.stop();
    return true;
  }
  void report_deadlock();
  bool is_down(AgentId agent) const {
    return options_.model.availability && !options_.model.availability->up(agent, now_);
  }

  SimulationOptions options_;
  Network network_;
  ComputeModel compute_;
  std::array<std::vector<Listener*>, event_kinds> listeners_;  // by what they hear
  Recorder* recorder_ = nullptr;
  Watcher* watcher_ = nullptr;
  Time watch_at_ = Time::never();

  std::size_t events_in_cache_;
  Time last_instant_;  // that the run may reach: simulated time always ends after 292 years
  Time last_report_;
  EventQueue queue_;
  LinkLists link_lists_;
  TiedEvents tied_events_;
  bool is_unordered_ = false;  // some event of this instant came while others were applied in order
  std::int64_t applied_ = 0;
  std::int64_t next_check_ = 0;                    // of conservation: when this many are applied
  std::vector<std::pair<Time, LinkId>> arrivals_;  // of the present broadcast
  std::vector<LinkId> targets_;                    // likewise, in a world with a transport
  std::optional<EndReason> end_reason_;

  std::unique_ptr<Transport> transport_;  // null where messages neither share anything nor meet faults
  LinkOrder order_;                       // without a transport
  std::uint64_t serials_ = 0;             // transmissions so far
  std::int64_t on_the_way_ = 0;           // of them, those neither delivered nor lost

  AgentPool agents_;
};

}  // namespace lagnet
