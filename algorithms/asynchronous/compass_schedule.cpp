#include "algorithms/asynchronous/compass_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lagnet {

namespace {

/// floor(time / step) as far as it can be counted.
std::int64_t steps_in(double time_s, double step_s) {
  constexpr double many = 1e15;
  return static_cast<std::int64_t>(std::floor(std::clamp(time_s / step_s, -many, many)));
}

}  // namespace

CompassSchedule::CompassSchedule(const CompassRules& rules, AgentId agents) : rules_(rules), clients_(agents) {}

void CompassSchedule::start(AgentId k, double now) { clients_[k] = {.began = now, .steps = rules_.Q2}; }

CompassSchedule::Groups::iterator CompassSchedule::find(Group group) {
  return std::ranges::find(groups_, group, &Members::number);
}

CompassSchedule::Next CompassSchedule::arrived(AgentId k, double now, Group& group) {
  Client& client = clients_[k];
  constexpr double least = 1e-9;  // a step that takes no time is one of a nanosecond
  const double step_s = std::max((now - client.began) / static_cast<double>(client.steps), least);
  client.step_s = client.step_s == 0 ? step_s : (1 - rules_.momentum) * client.step_s + rules_.momentum * step_s;
  group = client.group;
  if (group < 0) return Next::alone;
  const auto of = find(group);
  std::erase(of->under_way, k);
  constexpr double half_a_nanosecond = 5e-10;  // what comes at the instant of the timer comes first
  if (now > of->latest + half_a_nanosecond) {
    client.group = -1;
    if (of->under_way.empty() && of->arrived.empty()) groups_.erase(of);
    return Next::buffer;
  }
  of->arrived.push_back(k);
  return of->under_way.empty() ? Next::close : Next::wait;
}

std::optional<CompassSchedule::Expiry> CompassSchedule::next_expiry() const {
  std::optional<Expiry> first;
  for (const Members& group : groups_)
    if (group.latest > 0 && (!first || group.latest < first->at)) first = Expiry{group.number, group.latest};
  return first;
}

std::vector<AgentId> CompassSchedule::close(Group group) {
  const auto of = find(group);
  std::vector<AgentId> came = std::move(of->arrived);
  of->arrived.clear();
  of->expected = of->latest = 0;
  if (of->under_way.empty()) groups_.erase(of);
  std::ranges::sort(came, {}, [this](AgentId k) { return std::pair(clients_[k].step_s, k); });
  for (const AgentId k : came) clients_[k].group = -1;
  return came;
}

void CompassSchedule::join(AgentId k, Members& group, std::int64_t steps, double now) {
  Client& client = clients_[k];
  client.began = now;
  client.steps = steps;
  client.group = group.number;
  group.under_way.push_back(k);
}

std::int64_t CompassSchedule::found(AgentId k, std::int64_t steps, double now) {
  const double takes = static_cast<double>(steps) * clients_[k].step_s;
  groups_.push_back({.number = created_++, .expected = now + takes, .latest = now + rules_.latest_factor * takes});
  join(k, groups_.back(), steps, now);
  return steps;
}

std::int64_t CompassSchedule::assign(AgentId k, double now) {
  const double v = clients_[k].step_s;
  Members* best = nullptr;
  std::int64_t q = 0;
  for (Members& group : groups_) {
    const std::int64_t steps = steps_in(group.expected - now, v);
    if (steps < rules_.Q1 || steps > rules_.Q2 || steps < q) continue;  // of equal ones the newer group
    best = &group;
    q = steps;
  }
  if (best) {
    join(k, *best, q, now);
    return q;
  }
  q = -1;
  for (const Members& group : groups_) {
    if (!(now < group.latest)) continue;
    double least = std::numeric_limits<double>::infinity();
    for (const auto* some : {&group.under_way, &group.arrived})
      for (const AgentId other : *some) least = std::min(least, clients_[other].step_s);
    const std::int64_t steps = steps_in(group.latest + static_cast<double>(rules_.Q2) * least - now, v);
    if (steps <= rules_.Q2) q = std::max(q, steps);
  }
  return found(k, q < 0 ? rules_.Q2 : std::max(q, rules_.Q1), now);
}

}  // namespace lagnet
