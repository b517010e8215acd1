#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace lagnet {

using AgentId = std::uint32_t;     // agents are numbered from 0
using Round = std::int64_t;        // round 0 is the start, before the first step
using Flops = std::int64_t;        // floating-point operations, counted by the kernels
using Bytes = std::int64_t;        // on the wire
using ResourceId = std::uint32_t;  // what messages share: an interface or a link; numbered from 0

/// The largest number of agents, and of messages at one time: events hold the numbers of both.
constexpr std::uint32_t max_subjects = std::uint32_t{1} << 29;

/// A span of simulated time in whole nanoseconds. Integers keep addition associative and ties exact.
class Duration {
 public:
  constexpr Duration() = default;
  static constexpr Duration nanoseconds(std::int64_t ns) { return Duration(ns); }
  /// The nearest whole nanosecond, at most longest().
  static Duration seconds(double s) { return rounded(s * 1e9); }
  static Duration milliseconds(double ms) { return rounded(ms * 1e6); }
  /// 2^63 - 1 ns, 292 years. Sums end there, too.
  static constexpr Duration longest() { return Duration(std::numeric_limits<std::int64_t>::max()); }

  constexpr std::int64_t ns() const { return ns_; }
  constexpr double in_seconds() const { return static_cast<double>(ns_) / 1e9; }  // 9 ms are 0.009

  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration operator+(Duration other) const {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(ns_, other.ns_, &sum)) return Duration(sum);
    return ns_ > 0 ? longest() : Duration(std::numeric_limits<std::int64_t>::min());
  }
  constexpr Duration operator-(Duration other) const { return Duration(ns_ - other.ns_); }
  constexpr Duration& operator+=(Duration other) { return *this = *this + other; }

 private:
  static Duration rounded(double ns) {
    if (!(ns < static_cast<double>(longest().ns_))) return longest();
    // As std::llround, without the call: halves away from zero. The difference is exact.
    const auto whole = static_cast<std::int64_t>(ns);
    const double rest = ns - static_cast<double>(whole);
    return Duration(whole + (rest >= 0.5) - (rest <= -0.5));
  }
  constexpr explicit Duration(std::int64_t ns) : ns_(ns) {}
  std::int64_t ns_ = 0;
};

/// A moment of simulated time, in whole nanoseconds since the start of the run.
class Time {
 public:
  constexpr Time() = default;
  static constexpr Time nanoseconds(std::int64_t ns) { return Time(ns); }
  static constexpr Time never() { return Time(std::numeric_limits<std::int64_t>::max()); }

  constexpr std::int64_t ns() const { return ns_; }
  constexpr double in_seconds() const { return static_cast<double>(ns_) / 1e9; }  // 9 ms are 0.009

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time operator+(Duration d) const { return Time(ns_ + d.ns()); }
  constexpr Duration operator-(Time other) const { return Duration::nanoseconds(ns_ - other.ns_); }

 private:
  constexpr explicit Time(std::int64_t ns) : ns_(ns) {}
  std::int64_t ns_ = 0;
};

/// The moment a span of at least 0 after another; never() if that lies beyond what a Time can hold (292 years).
constexpr Time saturated(Time start, Duration span) {
  return span > Time::never() - start ? Time::never() : start + span;
}

}  // namespace lagnet
