#include "sim/world/schedule.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace lagnet {

Schedule::Schedule(std::vector<Time> times, std::vector<double> values, std::optional<Duration> period)
    : times_(std::move(times)), values_(std::move(values)), period_(period) {
  const bool ascends = std::ranges::adjacent_find(times_, std::greater_equal()) == times_.end();
  if (times_.empty() || times_.size() != values_.size() || !ascends || times_.front() < Time())
    throw std::invalid_argument("a schedule has as many values as times, which ascend from 0 or later");
  if (period_ && Time() + *period_ <= times_.back())
    throw std::invalid_argument("a schedule repeats later than its last time");
}

Time Schedule::start_of_period(Time t) const {
  return period_ ? Time::nanoseconds(t.ns() - t.ns() % period_->ns()) : Time();
}

/// The last one that has begun.
std::size_t Schedule::piece(Time within) const {
  const auto after = std::ranges::upper_bound(times_, within);
  return after == times_.begin() ? 0 : static_cast<std::size_t>(after - times_.begin()) - 1;
}

double Schedule::at(Time t) const { return values_[piece(Time() + (t - start_of_period(t)))]; }

Time Schedule::next_change(Time t) const {
  const Time start = start_of_period(t);
  const Duration within = t - start;
  // The first value holds before the first time, too.
  const auto next = std::ranges::upper_bound(times_.begin() + 1, times_.end(), Time() + within);
  if (next != times_.end()) return saturated(start, *next - Time());
  return period_ ? saturated(start, *period_) : Time::never();
}

Time Schedule::leaves(Time begin, double bytes) const {
  if (!(bytes > 0)) return begin;
  for (Time t = begin;;) {
    const double rate = at(t);
    const Time end = next_change(t);
    if (rate > 0) {
      const Time through = saturated(t, Duration::seconds(bytes / rate));
      if (through <= end) return through;
      bytes -= rate * static_cast<double>((end - t).ns()) / 1e9;
    }
    if (end == Time::never()) return Time::never();
    t = end;
  }
}

}  // namespace lagnet
