#pragma once

#include <memory>
#include <vector>

#include "sim/base/types.hpp"

/// Says when agents are up, as a function of (seed, agent, time): it needs no events and does not depend on the order
/// of the queries. Stretches of time are half open, [from, until): at `until` the next one has begun. Times are
/// simulated nanoseconds from 0 on; nothing happens beyond Time::never() (292 years).
namespace lagnet {

/// One reason for which agents are up or down: a schedule, a random process, a crash.
class AvailabilityProcess {
 public:
  struct Spell {
    bool up = true;
    Time until = Time::never();  // the first later time at which `up` may differ
  };
  /// A crash that loses the agent's state: it starts from the beginning at `up`.
  struct Restart {
    AgentId agent = 0;
    Time down, up;
    bool operator==(const Restart&) const = default;
  };

  virtual ~AvailabilityProcess() = default;
  /// The state at a time from 0 to before never(); `until` is later than that time.
  virtual Spell at(AgentId agent, Time time) const = 0;
  /// Whether the agent is ever down.
  virtual bool concerns(AgentId) const { return true; }
  /// Crashes that lose the state and from which the agent recovers.
  virtual std::vector<Restart> restarts() const { return {}; }
};

/// An agent is up when all processes say so. Processes may cache their draws, so one Availability belongs to one thread
/// at a time; its answers do not depend on the cache.
class Availability {
 public:
  using Spell = AvailabilityProcess::Spell;
  using Restart = AvailabilityProcess::Restart;

  Availability(AgentId agents, std::vector<std::shared_ptr<const AvailabilityProcess>> processes);

  AgentId agents() const { return static_cast<AgentId>(of_.size()); }
  /// The state by all processes together: up until the first of them may go down, or down until the last of those that
  /// are down now may come back. The time is before never().
  Spell at(AgentId agent, Time time) const;
  bool up(AgentId agent, Time time) const { return at(agent, time).up; }

  /// The first time >= `time` at which the agent is up; never() if it does not come back. Throws WorldLimit
  /// after a million stretches in none of which all processes say up: two daily rhythms that exclude each other would
  /// go on forever.
  Time next_up(AgentId agent, Time time) const;
  bool gone_for_good(AgentId agent, Time time) const { return next_up(agent, time) == Time::never(); }

  /// The time at which the agent has been up for `work` since `start`; without work that is `start`. Work that just
  /// fits is finished at the moment when the agent goes down. never() if the agent does not come back often enough.
  /// Goes through every stretch up to then. Throws as next_up() does.
  Time finish(AgentId agent, Time start, Duration work) const;

  /// How long the agent is down from one time up to a later one. Goes through every stretch between them.
  Duration down_time(AgentId agent, Time from, Time until) const;

  /// Crashes that lose the state, ascending by (up, agent). `up` is when the agent is up again by all processes;
  /// crashes that end in one restart are one, down since the first of them. An agent that does not come back has no
  /// restart.
  std::vector<Restart> restarts() const;
  /// Whether any crash loses the state and ends.
  bool loses_state() const { return loses_state_; }

 private:
  bool loses_state_ = false;
  std::vector<std::shared_ptr<const AvailabilityProcess>> processes_;
  std::vector<std::vector<const AvailabilityProcess*>> of_;  // for each agent those that concern it
};

}  // namespace lagnet
