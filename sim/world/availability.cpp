#include "sim/world/availability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

Availability::Availability(AgentId agents, std::vector<std::shared_ptr<const AvailabilityProcess>> processes)
    : processes_(std::move(processes)), of_(agents) {
  for (const auto& process : processes_) {
    loses_state_ = loses_state_ || !process->restarts().empty();
    for (AgentId agent = 0; agent < agents; ++agent)
      if (process->concerns(agent)) of_[agent].push_back(process.get());
  }
}

Availability::Spell Availability::at(AgentId agent, Time time) const {
  Spell all;
  for (const AvailabilityProcess* process : of_[agent]) {
    const Spell one = process->at(agent, time);
    LAGNET_CHECK(one.until > time, "agent {}: a stretch that ends at {} ns is asked for at {} ns", agent,
                 one.until.ns(), time.ns());
    if (one.up == all.up)
      all.until = all.up ? std::min(all.until, one.until) : std::max(all.until, one.until);
    else if (!one.up)
      all = one;
  }
  return all;
}

Time Availability::next_up(AgentId agent, Time time) const {
  constexpr int spells_max = 1'000'000;
  for (int spells = 0; time != Time::never(); ++spells) {
    const Spell spell = at(agent, time);
    if (spell.up) return time;
    if (spells == spells_max)
      throw WorldLimit(
          fmt::format("agent {}: expected a time at which all rules of availability say up, found none up to {} s",
                      agent, time.in_seconds()));
    time = spell.until;
  }
  return Time::never();
}

Time Availability::finish(AgentId agent, Time start, Duration work) const {
  Time time = start;
  while (work > Duration()) {
    time = next_up(agent, time);
    if (time == Time::never()) return Time::never();
    const Time until = at(agent, time).until;
    if (until == Time::never() || work <= until - time) return saturated(time, work);
    work = work - (until - time);
    time = until;
  }
  return time;
}

Duration Availability::down_time(AgentId agent, Time from, Time until) const {
  Duration down;
  while (from < until) {
    const Spell spell = at(agent, from);
    const Time end = std::min(spell.until, until);
    if (!spell.up) down += end - from;
    from = end;
  }
  return down;
}

std::vector<Availability::Restart> Availability::restarts() const {
  std::vector<Restart> all;
  for (const auto& process : processes_)
    for (Restart restart : process->restarts()) {
      LAGNET_CHECK(restart.agent < agents(), "a crash of agent {} among {}", restart.agent, agents());
      restart.up = next_up(restart.agent, restart.up);
      if (restart.up != Time::never()) all.push_back(restart);
    }
  std::ranges::sort(all, {},
                    [](const Restart& restart) { return std::tuple(restart.up, restart.agent, restart.down); });
  const auto same = [](const Restart& a, const Restart& b) { return a.up == b.up && a.agent == b.agent; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace lagnet
