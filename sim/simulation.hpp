#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/agent.hpp"
#include "sim/compute.hpp"
#include "sim/event_queue.hpp"
#include "sim/message.hpp"
#include "sim/network.hpp"
#include "sim/runtime.hpp"
#include "sim/task.hpp"
#include "sim/workers.hpp"

namespace lagnet {

struct SimulationOptions {
  std::uint64_t seed = 1;
  unsigned threads = 1;      // results are the same bits for every number
  Time end = Time::never();  // no event after this time happens
  WireFormat wire;
};

/// Why and when a run ended.
struct Ending {
  std::string reason;  // "finished", "simulated_s", or what stop() was given
  Time last_report;    // the run's duration
  Time last_event;
  std::int64_t events = 0;  // taken from the queue
};

/// The simulated world: runs the agents' coroutines over a queue of timed events. Everything that happens at one
/// instant is a batch: first its messages and timers are applied, in the order in which they were scheduled; then the
/// agents whose waits ended are resumed, in the order in which they became ready.
class Simulation final : public Runtime {
 public:
  /// Throws std::invalid_argument unless there is one speed for each agent of the network.
  Simulation(Network network, ComputeModel compute, SimulationOptions options);
  ~Simulation() override;

  Agent& agent(AgentId id) { return agents_[id]; }
  /// Gives an agent its coroutine, before run(). A daemon does not keep the run going.
  enum class Role { main, daemon };
  void spawn(AgentId id, Task<> task, Role role = Role::main);
  void listen(Listener& listener) { listeners_.push_back(&listener); }
  void record(Recorder& recorder) { recorder_ = &recorder; }

  /// Runs until every main coroutine has ended, a limit is reached, or stop() is called. Throws Deadlock, or AgentError
  /// when a coroutine or kernel threw; InternalError passes through.
  Ending run();
  /// Ends the run after the coroutine that is running now.
  void stop(std::string reason);
  /// Called between batches with the time, for progress displays; it cannot reach results.
  void between_batches(std::function<void(Time)> observer) { observer_ = std::move(observer); }

  Time now() const override { return now_; }
  std::uint64_t seed() const override { return options_.seed; }
  const Network& network() const override { return network_; }
  void send(LinkId link, Message message) override;
  void broadcast(Message message) override;
  void wake_at(Time at, AgentId agent, std::uint32_t ticket) override;
  Duration compute_time(AgentId agent, Flops flops) const override { return compute_.time(agent, flops); }
  void ready(Agent& agent) override { ready_.push_back(&agent); }
  void report(AgentId agent, Round round, std::span<const VectorView> parts) override;
  void note(const Occurrence& what) override {
    for (Listener* listener : listeners_) listener->occurred(what);
  }
  Workers& workers() override { return workers_; }

 private:
  struct Event {  // a timer of an agent, or a message to some of the sender's links
    bool is_message = false;
    AgentId agent = 0;  // of the timer
    std::uint32_t ticket = 0;
    Bytes bytes = 0;        // of each copy
    LinkId first_link = 0;  // links first_link .. first_link + link_count - 1, or those of `links`
    LinkId link_count = 0;
    std::vector<LinkId> links;
    Message message;
  };

  void schedule(Time at, Event event);
  void note_sent(LinkId link, const Message& message, Bytes bytes);
  void apply(EventSlot slot);
  void deliver(const Event& event, LinkId link);
  void resume_ready();
  void resume(Agent& agent);
  void report_deadlock();

  SimulationOptions options_;
  Network network_;
  ComputeModel compute_;
  Workers workers_;
  std::vector<Listener*> listeners_;
  Recorder* recorder_ = nullptr;
  std::function<void(Time)> observer_;

  Time now_;
  Time last_report_;
  EventQueue queue_;
  std::vector<Event> events_;
  std::vector<EventSlot> free_;
  std::int64_t applied_ = 0;
  std::vector<Agent*> ready_;
  std::vector<Agent*> resuming_;
  std::vector<Agent*> summing_;                    // of these, those whose sums are due
  std::vector<std::pair<Time, LinkId>> arrivals_;  // of the present broadcast
  std::string stop_reason_;

  std::deque<Agent> agents_;
  struct Process {
    Task<> task;
    Role role = Role::main;
  };
  std::vector<Process> processes_;
  std::size_t unfinished_ = 0;  // main coroutines
};

}  // namespace lagnet
