#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/world/availability.hpp"

namespace lagnet {

/// Mean times up and down; both above 0.
struct OnOffMeans {
  Duration up, down;
};

/// An agent is up and down in turn for exponentially distributed times (an alternating renewal process), each at least
/// 1 ns. The process begins in its stationary state, up with probability up/(up + down). The distribution has no
/// memory, so the first stretch is as long as any other, and the agent is up with that probability at every time.
///
/// The k-th stretch of an agent comes from Draws(seed, purpose, agent, k); two such processes of one run need two
/// purposes. Stretches are made up to the latest time asked for and remembered, 8 bytes each: of all agents together
/// 50 million at most.
class OnOff final : public AvailabilityProcess {
 public:
  /// Throws std::invalid_argument unless both means are above 0.
  OnOff(std::uint64_t seed, Purpose purpose, AgentId agents, OnOffMeans means);
  /// Throws WorldLimit where the stretches are too many.
  Spell at(AgentId agent, Time time) const override;

 private:
  struct History {
    bool first_up = true;
    std::vector<Time> ends;  // of the stretches, ascending; the last may be never()
  };
  void extend(AgentId agent) const;

  std::uint64_t seed_;
  Purpose purpose_;
  OnOffMeans means_;
  mutable std::vector<History> histories_;  // of each agent
  mutable std::int64_t stretches_ = 0;      // in them
};

/// An agent is down from one time until another, which may be never().
struct Outage {
  AgentId agent = 0;
  Time from, until;
};

/// Outages that are known beforehand, from a schedule or a recorded trace; otherwise the agent is up.
class Outages final : public AvailabilityProcess {
 public:
  /// In any order; those of one agent may touch. Throws std::invalid_argument that names every outage that does not end
  /// after it begins or overlaps another of the same agent.
  explicit Outages(std::vector<Outage> outages);
  Spell at(AgentId agent, Time time) const override;
  bool concerns(AgentId agent) const override;

 private:
  std::vector<Outage> outages_;  // ascending by (agent, from)
};

/// A daily rhythm: with local time (t + phase) mod period an agent is up while local time is below `up`.
class Diurnal final : public AvailabilityProcess {
 public:
  /// One phase for each agent, from 0 to below the period. Throws std::invalid_argument unless 0 < up <= period and all
  /// phases are in that range.
  Diurnal(Duration period, Duration up, std::vector<Duration> phases);
  Spell at(AgentId agent, Time time) const override;
  bool concerns(AgentId) const override { return up_ < period_; }

  /// One phase for each agent, drawn uniformly by Draws(seed, purpose, agent); period above 0.
  static std::vector<Duration> random_phases(std::uint64_t seed, Purpose purpose, AgentId agents, Duration period);

 private:
  Duration period_, up_;
  std::vector<Duration> phases_;
};

struct CrashPlan {
  AgentId agent = 0;
  Time at;
  std::optional<Duration> recovers_after;  // above 0; never if empty
  bool loses_state = true;                 // whether the agent starts from the beginning when it is up again
};

/// One agent fails, once.
class Crash final : public AvailabilityProcess {
 public:
  /// Throws std::invalid_argument if it would recover before the crash or at that moment.
  explicit Crash(const CrashPlan& plan);
  Spell at(AgentId agent, Time time) const override;
  bool concerns(AgentId agent) const override { return agent == agent_; }
  std::vector<Restart> restarts() const override;

 private:
  AgentId agent_;
  Time from_, until_;
  bool loses_state_;
};

/// Applies a process to some agents; the others are up.
class OnlyFor final : public AvailabilityProcess {
 public:
  OnlyFor(std::vector<AgentId> agents, std::shared_ptr<const AvailabilityProcess> process);
  Spell at(AgentId agent, Time time) const override;
  bool concerns(AgentId agent) const override;
  std::vector<Restart> restarts() const override;

 private:
  std::vector<AgentId> agents_;  // ascending
  std::shared_ptr<const AvailabilityProcess> process_;
};

}  // namespace lagnet
