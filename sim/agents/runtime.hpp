#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "sim/base/array.hpp"
#include "sim/base/compute_cost.hpp"
#include "sim/base/sim_event.hpp"
#include "sim/exchange/message.hpp"
#include "sim/world/network.hpp"
#include "sim/world/world_model.hpp"

namespace lagnet {

/// Takes the iterates that agents report. Reporting takes no simulated time.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// The parts of an agent's iterate after a round, as its algorithm lists them; the views end with the call.
  virtual void reported(AgentId agent, Round round, std::span<const VectorView> parts) = 0;
};

/// The functions that agents call in their world: a simulation, or a world without simulated time. A world implements
/// these functions and owns an AgentPool, which it hands what arrives and the timers that are due.
class Runtime {
 public:
  virtual ~Runtime() = default;
  Time now() const { return now_; }
  virtual std::uint64_t seed() const = 0;
  virtual const Network& network() const = 0;
  virtual const WorldModel& model() const = 0;
  virtual Bytes bytes_per_scalar() const { return 8; }  // on the wire
  /// Sends a message over one link. It must not arrive before send() has returned.
  virtual void send(LinkId link, Message&& message) = 0;
  /// Sends one copy over each of the sender's links.
  virtual void broadcast(Message&& message) = 0;
  /// Calls AgentPool::wake(agent, ticket) at that time.
  virtual void wake_at(Time at, AgentId agent, std::uint32_t ticket) = 0;
  /// How long a computation takes that begins now, in a round, or as an update with that number among the agent's own.
  virtual Duration compute_time(AgentId agent, Round round, Cost work, bool is_update) = 0;
  virtual void report(AgentId agent, Round round, std::span<const VectorView> parts) = 0;
  /// Reports to the listeners; make() returns the SimEvent, and is not called without listeners.
  template <class Make>
  void note(Make&& make) {
    if (is_heard_) tell(std::forward<Make>(make)());
  }
  /// Whether a listener asks for what agents take.
  bool hears_takes() const { return hears_takes_; }

 protected:
  virtual void tell(const SimEvent& what) = 0;

  Time now_;
  bool is_heard_ = false;  // whether anybody listens
  bool hears_takes_ = false;
};

}  // namespace lagnet
