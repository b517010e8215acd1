#include "sim/world/availability_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "sim/base/diagnostic.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// A random length after a time, at least 1 ns; never() where whole nanoseconds end.
Time end_of_spell(Time start, double mean_ns, Draws& draws) {
  const double length_ns = draws.exponential() * mean_ns;
  constexpr double representable_ns = 9e18;  // below 2^63, which no double just below may exceed by rounding
  if (length_ns >= representable_ns) return Time::never();
  return saturated(start, Duration::nanoseconds(std::max<std::int64_t>(1, std::llround(length_ns))));
}

constexpr std::int64_t most_stretches = 50'000'000;  // 400 MB

double in_ns(Duration duration) { return static_cast<double>(duration.ns()); }

}  // namespace

OnOff::OnOff(std::uint64_t seed, Purpose purpose, AgentId agents, OnOffMeans means)
    : seed_(seed), purpose_(purpose), means_(means), histories_(agents) {
  if (means.up <= Duration() || means.down <= Duration())
    throw std::invalid_argument(
        fmt::format("expected mean times above 0 ns, found {} ns up and {} ns down", means.up.ns(), means.down.ns()));
}

void OnOff::extend(AgentId agent) const {
  History& history = histories_[agent];
  if (++stretches_ > most_stretches)
    throw WorldLimit(fmt::format(
        "on_off: expected at most {} times up and down of all agents together, found more by {:.6g} s; with "
        "longer means there are fewer",
        most_stretches, history.ends.back().in_seconds()));
  const auto index = static_cast<Round>(history.ends.size());
  Draws draws(seed_, purpose_, agent, index);
  if (index == 0) history.first_up = draws.bernoulli(in_ns(means_.up) / (in_ns(means_.up) + in_ns(means_.down)));
  const bool up = history.first_up == (index % 2 == 0);
  const Time start = history.ends.empty() ? Time() : history.ends.back();
  history.ends.push_back(end_of_spell(start, in_ns(up ? means_.up : means_.down), draws));
}

AvailabilityProcess::Spell OnOff::at(AgentId agent, Time time) const {
  History& history = histories_[agent];
  while (history.ends.empty() || history.ends.back() <= time) extend(agent);
  const auto end = std::ranges::upper_bound(history.ends, time);
  const auto index = end - history.ends.begin();
  return {.up = history.first_up == (index % 2 == 0), .until = *end};
}

Outages::Outages(std::vector<Outage> outages) : outages_(std::move(outages)) {
  std::ranges::sort(outages_, {}, [](const Outage& o) { return std::tuple(o.agent, o.from, o.until); });
  std::vector<Diagnostic> faults;
  const Outage* before = nullptr;
  for (const Outage& o : outages_) {
    const auto fault = [&](const char* what) {
      faults.push_back(
          {fmt::format("outage of agent {} from {} to {} ns", o.agent, o.from.ns(), o.until.ns()), "", what});
    };
    if (o.until <= o.from) fault("ends before it begins");
    if (before && before->agent == o.agent && o.from < before->until) fault("overlaps another");
    before = &o;
  }
  if (!faults.empty()) throw Diagnosed(std::move(faults));
}

AvailabilityProcess::Spell Outages::at(AgentId agent, Time time) const {
  const auto over = [&](const Outage& o) { return o.agent < agent || (o.agent == agent && o.until <= time); };
  const auto next = std::partition_point(outages_.begin(), outages_.end(), over);
  if (next == outages_.end() || next->agent != agent) return {};
  const bool up = time < next->from;
  return {.up = up, .until = up ? next->from : next->until};
}

bool Outages::concerns(AgentId agent) const {
  return std::ranges::binary_search(outages_, agent, {}, [](const Outage& o) { return o.agent; });
}

Diurnal::Diurnal(Duration period, Duration up, std::vector<Duration> phases)
    : period_(period), up_(up), phases_(std::move(phases)) {
  if (up <= Duration() || up > period)
    throw std::invalid_argument(
        fmt::format("expected a time up above 0 and at most the period of {} ns, found {} ns", period.ns(), up.ns()));
  for (const Duration phase : phases_)
    if (phase < Duration() || phase >= period)
      throw std::invalid_argument(
          fmt::format("expected phases from 0 to below the period of {} ns, found {} ns", period.ns(), phase.ns()));
}

AvailabilityProcess::Spell Diurnal::at(AgentId agent, Time time) const {
  if (up_ == period_) return {};
  // (time + phase) mod period, by steps that stay within the range of an integer.
  const std::int64_t period = period_.ns(), phase = phases_[agent].ns(), in_period = time.ns() % period;
  const std::int64_t local = in_period < period - phase ? in_period + phase : in_period - (period - phase);
  const bool up = local < up_.ns();
  return {.up = up, .until = saturated(time, Duration::nanoseconds((up ? up_.ns() : period) - local))};
}

std::vector<Duration> Diurnal::random_phases(std::uint64_t seed, Purpose purpose, AgentId agents, Duration period) {
  std::vector<Duration> phases;
  for (AgentId agent = 0; agent < agents; ++agent) {
    const auto ns = Draws(seed, purpose, agent).below(static_cast<std::uint64_t>(period.ns()));
    phases.push_back(Duration::nanoseconds(static_cast<std::int64_t>(ns)));
  }
  return phases;
}

Crash::Crash(const CrashPlan& plan)
    : agent_(plan.agent), from_(plan.at), until_(Time::never()), loses_state_(plan.loses_state) {
  if (!plan.recovers_after) return;
  if (*plan.recovers_after <= Duration())
    throw std::invalid_argument(fmt::format("agent {}: expected a recovery after the crash, found one after {} ns",
                                            agent_, plan.recovers_after->ns()));
  until_ = saturated(from_, *plan.recovers_after);
}

AvailabilityProcess::Spell Crash::at(AgentId agent, Time time) const {
  if (agent != agent_ || time >= until_) return {};
  const bool up = time < from_;
  return {.up = up, .until = up ? from_ : until_};
}

std::vector<AvailabilityProcess::Restart> Crash::restarts() const {
  if (!loses_state_ || until_ == Time::never()) return {};
  return {{.agent = agent_, .down = from_, .up = until_}};
}

OnlyFor::OnlyFor(std::vector<AgentId> agents, std::shared_ptr<const AvailabilityProcess> process)
    : agents_(std::move(agents)), process_(std::move(process)) {
  std::ranges::sort(agents_);
}

AvailabilityProcess::Spell OnlyFor::at(AgentId agent, Time time) const {
  return std::ranges::binary_search(agents_, agent) ? process_->at(agent, time) : Spell{};
}

bool OnlyFor::concerns(AgentId agent) const {
  return std::ranges::binary_search(agents_, agent) && process_->concerns(agent);
}

std::vector<AvailabilityProcess::Restart> OnlyFor::restarts() const {
  auto restarts = process_->restarts();
  std::erase_if(restarts, [&](const Restart& r) { return !std::ranges::binary_search(agents_, r.agent); });
  return restarts;
}

}  // namespace lagnet
