#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sim/accounts/ledger.hpp"
#include "sim/accounts/trace.hpp"
#include "sim/engine/simulation.hpp"
#include "sim/world/availability_processes.hpp"

/// Small worlds for tests of the engine.
namespace lagnet::test {

constexpr double infinite = std::numeric_limits<double>::infinity();

inline Time at(std::int64_t ns) { return Time::nanoseconds(ns); }
inline Duration span(std::int64_t ns) { return Duration::nanoseconds(ns); }
inline Vector scalar(double x) { return Vector::Constant(1, x); }

/// Adds the two links between a and b.
inline void join(std::vector<LinkSpec>& links, AgentId a, AgentId b, std::int64_t latency_ns,
                 double bandwidth = infinite) {
  links.push_back({.from = a, .to = b, .latency = span(latency_ns), .bandwidth_bytes_per_s = bandwidth});
  links.push_back({.from = b, .to = a, .latency = span(latency_ns), .bandwidth_bytes_per_s = bandwidth});
}

/// 0 - 1 - 2 - ...: as many links as latencies.
inline std::vector<LinkSpec> line(const std::vector<std::int64_t>& latencies_ns) {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < latencies_ns.size(); ++a) join(links, a, a + 1, latencies_ns[a]);
  return links;
}

/// Agent 0 in the middle of agents 1, 2, ...: as many as latencies.
inline std::vector<LinkSpec> star(const std::vector<std::int64_t>& latencies_ns) {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < latencies_ns.size(); ++a) join(links, 0, a + 1, latencies_ns[a]);
  return links;
}

/// 0 - 1 - ... - 0, three agents or more: one latency for each link {a, a+1}.
inline std::vector<LinkSpec> ring(const std::vector<std::int64_t>& latencies_ns) {
  std::vector<LinkSpec> links;
  const auto agents = static_cast<AgentId>(latencies_ns.size());
  for (AgentId a = 0; a < agents; ++a) join(links, a, (a + 1) % agents, latencies_ns[a]);
  return links;
}

/// The agents' availability by one process.
inline std::shared_ptr<const Availability> available(AgentId agents, std::shared_ptr<const AvailabilityProcess> by) {
  return std::make_shared<const Availability>(agents,
                                              std::vector<std::shared_ptr<const AvailabilityProcess>>{std::move(by)});
}
inline std::shared_ptr<const Availability> without(AgentId agents, std::vector<Outage> outages) {
  return available(agents, std::make_shared<Outages>(std::move(outages)));
}

class Log : public Listener {
 public:
  void on_event(const SimEvent& what) override { all.push_back(what); }
  std::vector<Time> times(EventKind what, AgentId agent) const {
    std::vector<Time> found;
    for (const SimEvent& one : all)
      if (one.what == what && one.agent == agent) found.push_back(one.at);
    return found;
  }
  std::vector<Time> times(EventKind what) const {
    std::vector<Time> found;
    for (const SimEvent& one : all)
      if (one.what == what) found.push_back(one.at);
    return found;
  }
  std::vector<SimEvent> all;
};

/// A simulation with everyone listening. By default the speed makes one flop one nanosecond.
struct World {
  World(AgentId agents, std::vector<LinkSpec> links, SimulationOptions options = {}, double speed = 1e9)
      : World(Network(agents, std::move(links)), std::move(options), speed) {}
  explicit World(Network network, SimulationOptions options = {}, double speed = 1e9)
      : World(network, ComputeModel(std::vector<double>(network.agents(), speed)), std::move(options)) {}
  World(const Network& network, ComputeModel compute, SimulationOptions options)
      : sim(network, std::move(compute), std::move(options)),
        ledger(network.agents(), network.links(), sim.model().availability) {
    sim.listen(ledger);
    sim.listen(trace);
    sim.listen(log);
  }

  Agent& agent(AgentId id) { return sim.agent(id); }
  void spawn(AgentId id, Task<> task) { sim.spawn(id, std::move(task)); }
  void spawn_daemon(AgentId id, Task<> task) { sim.spawn(id, std::move(task), Simulation::Role::daemon); }
  Ending run() { return sim.run(); }

  Simulation sim;
  Ledger ledger;
  Trace trace;
  Log log;
};

/// What an agent of a test saw: when, from whom, what.
struct Seen {
  Time when;
  AgentId from = 0;
  double value = 0;
  Round staleness = 0;
  bool operator==(const Seen&) const = default;
};

inline Seen seen(Time when, const Message& message) {
  return {when, message.from, message.body.size() > 0 ? message.body.data()[0] : 0, message.staleness};
}

// Programs that several tests use.

inline Task<> sleep_then_send(Agent& me, Duration wait, AgentId to, Round round, double value, MessageTag tag = 0) {
  co_await me.sleep(wait);
  me.send(to, round, scalar(value), tag);
}

inline Task<> only_sleep(Agent& me, Duration wait) { co_await me.sleep(wait); }

/// Sends a message with this number of scalars to an agent at each of these times, in rounds 0, 1, ...
struct Departure {
  std::int64_t at_ns = 0;
  AgentId to = 0;
  Index scalars = 1;
};
inline Task<> send_at(Agent& me, std::vector<Departure> departures) {
  Round round = 0;
  for (const Departure& one : departures) {
    if (at(one.at_ns) > me.now()) co_await me.sleep(at(one.at_ns) - me.now());
    me.send(one.to, round, Vector::Constant(one.scalars, static_cast<double>(round)));
    ++round;
  }
}

inline Task<> receive_forever(Agent& me, std::vector<Seen>& all) {
  for (;;) {
    const Message message = co_await me.receive();
    all.push_back(seen(me.now(), message));
  }
}

}  // namespace lagnet::test

namespace Catch {
template <>
struct StringMaker<lagnet::Time> {
  static std::string convert(lagnet::Time time) { return std::to_string(time.ns()) + " ns"; }
};
template <>
struct StringMaker<lagnet::Duration> {
  static std::string convert(lagnet::Duration duration) { return std::to_string(duration.ns()) + " ns"; }
};
template <>
struct StringMaker<lagnet::test::Seen> {
  static std::string convert(const lagnet::test::Seen& seen) {
    return fmt::format("{} from {} at {} ns, stale by {}", seen.value, seen.from, seen.when.ns(), seen.staleness);
  }
};
}  // namespace Catch
