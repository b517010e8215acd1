#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/agents/agent_pool.hpp"
#include "sim/agents/host.hpp"
#include "sim/agents/runtime.hpp"
#include "sim/base/remark.hpp"
#include "sim/base/sim_event.hpp"
#include "sim/realtime/measured_times.hpp"
#include "sim/realtime/peers.hpp"
#include "sim/world/compute.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

struct RealtimeOptions {
  std::uint64_t seed = 1;
  unsigned threads = 1;                        // that run kernels
  Time end = Time::never();                    // the run is given up then
  WireFormat wire;                             // by which messages are billed
  WorldModel model;                            // of which faults, availability and bandwidth mean nothing here
  std::vector<std::uint32_t> process_of;       // by agent
  std::chrono::milliseconds patience{30'000};  // with another process that is not there, or not any more
  PeersOptions peers;                          // `peers` and `limits.links` follow from the network
};

/// Why the part of a run in one process ended.
enum class RealtimeEnd {
  finished,    // every main coroutine of this process has ended, and all that it sent has arrived
  time_limit,  // RealtimeOptions::end
};

/// A world of real time: the agents of one process, whose messages to those of others go over TCP. Time is that of the
/// computer's steady clock since all connections stood. A computation takes the time that the compute model says, or
/// that of its kernel where it is longer. Events of messages have their sender's time, in nanoseconds, after the number
/// of its start as their serial: no two messages over a link have the same, also where the process was started anew,
/// if starts are numbered by the nanosecond (now_as_number()) and the clock was not set back.
/// Everything happens on the thread that calls run().
class RealtimeWorld final : public Runtime, public Host {
 public:
  /// Throws std::invalid_argument unless there is a speed and a process for each agent, and RunError where it cannot
  /// listen.
  RealtimeWorld(Network network, ComputeModel compute, RealtimeOptions options);
  ~RealtimeWorld() override;

  /// Agents of other processes are not run here.
  void spawn(AgentId id, Program program, Role role = Role::main) override;
  bool is_here(AgentId id) const { return options_.process_of[id] == options_.peers.process; }
  void listen(Listener& listener);
  void record(Recorder& recorder) { recorder_ = &recorder; }
  /// Gets remarks for the user while the run goes on.
  void warn_with(std::function<void(const Remark&)> warn) { warn_ = std::move(warn); }

  /// Takes how long messages have waited in this process, and computations have lasted, as soon as that is known.
  void tell_times_to(std::function<void(const QueueWait&)> waits, std::function<void(const WorkTime&)> work) {
    tell_wait_ = std::move(waits);
    tell_work_ = std::move(work);
  }

  /// Runs until the agents of this process have ended. Throws RunError where other processes are not there in time or
  /// belong to another run, and what AgentPool::resume_ready() throws.
  RealtimeEnd run();

  /// Calls this when time 0 has come, before any agent starts.
  void at_start(std::function<void()> begin) { begin_ = std::move(begin); }
  /// When time 0 was, in nanoseconds: by the computer's wall clock since 1970, and by its steady clock.
  std::int64_t wall_clock_at_start() const { return wall_clock_at_start_; }
  std::int64_t steady_clock_at_start() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(start_.time_since_epoch()).count();
  }
  /// The activities that the end of the run cut off, by agent.
  std::vector<SimEvent> waits_under_way() const;

  std::span<const AgentId> neighbors(AgentId id) const override { return network_.neighbors(id); }
  const WorldModel& model() const override { return options_.model; }
  bool timing_only() const override { return false; }
  std::uint64_t seed() const override { return options_.seed; }
  const Network& network() const override { return network_; }
  Bytes bytes_per_scalar() const override { return options_.wire.bytes_per_scalar; }
  void send(LinkId link, Message&& message) override;
  void broadcast(Message&& message) override;
  void wake_at(Time at, AgentId agent, std::uint32_t ticket) override;
  Duration compute_time(AgentId agent, Round round, Cost work, bool is_update) override;
  void report(AgentId agent, Round round, std::span<const VectorView> parts) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Sending {
    LinkId link;
    Time sent;                  // after time 0 of the sender's process
    std::uint64_t incarnation;  // of that process
    std::uint64_t serial() const { return incarnation + static_cast<std::uint64_t>(sent.ns()); }
  };
  void tell(const SimEvent& what) override {
    if (what.what == EventKind::computed || what.what == EventKind::encrypted) note_work(what);
    for (Listener* listener : listeners_[static_cast<std::size_t>(what.what)]) listener->on_event(what);
  }
  Time clock_time() const;
  void read_clock();
  void wait_until_met();
  void came(std::uint32_t peer, const Frame& frame);
  void met(std::uint32_t peer, bool is_anew);
  void deliver(const Sending& sending, Message&& message);
  void send(LinkId link, Message&& message, std::span<const std::byte> compact);
  void tell_of(EventKind what, const Sending& sending, const Message& message);
  void tell_of_wait(std::uint32_t peer, std::uint64_t sequence);
  void note_work(const SimEvent& what);
  void tell_of_work(AgentId agent, Time due);
  void set_alarm();
  void ring();
  void go_on();  // what has become ready
  void leave(RealtimeEnd why);
  std::uint32_t process_of(AgentId agent) const { return options_.process_of[agent]; }

  RealtimeOptions options_;
  Network network_;
  ComputeModel compute_;
  std::function<void(const Remark&)> warn_;
  std::function<void()> begin_;
  std::function<void(const QueueWait&)> tell_wait_;
  std::function<void(const WorkTime&)> tell_work_;
  std::array<std::vector<Listener*>, event_kinds> listeners_;
  Recorder* recorder_ = nullptr;
  boost::asio::io_context context_{1};
  Clock::time_point start_{};
  Time idle_since_;  // when the last kernels were through
  std::int64_t wall_clock_at_start_ = 0;
  std::multimap<Time, std::pair<AgentId, std::uint32_t>> timers_;
  boost::asio::steady_timer alarm_;
  std::optional<Time> alarm_at_;
  Time last_sent_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Sending> queued_;  // by process and sequence number
  struct Work {
    std::int64_t events = 0;   // of its computations by now
    std::int64_t number = 0;   // which of them goes on; 0: none
    bool is_starting = false;  // the next one takes time
    Time begun;
    Duration duration;  // as the model has it
  };
  std::map<AgentId, Work> work_;
  std::optional<RealtimeEnd> end_;
  bool has_mains_ = false, has_begun_ = false, has_left_ = false;
  std::vector<std::function<void()>> early_;  // messages from before the start
  AgentPool agents_;
  std::unique_ptr<Peers> peers_;
};

}  // namespace lagnet
