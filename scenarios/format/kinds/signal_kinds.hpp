#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/kinds/availability_kinds.hpp"
#include "scenarios/format/kinds/distributions.hpp"
#include "scenarios/format/kinds/name_or_number.hpp"
#include "sim/world/schedule.hpp"

/// Numbers of the network that change with simulated time: bandwidths, latencies, probabilities of loss.
namespace lagnet {

/// A number, and how it changes; null if it stays.
struct Signal {
  double value = 0;  // at time 0; of a bandwidth the first one above 0
  std::shared_ptr<const Schedule> schedule;
};

struct SignalScheduleOptions {
  static constexpr std::string_view kind = "schedule";
  static constexpr std::string_view summary = "numbers that hold from given times on";
  std::vector<double> at_s, values;
  std::optional<double> repeat_after_s;
  double scale = 1;
  static void fields(auto& self, auto& field) {
    field("at_s", self.at_s, "times in s, ascending; before the first one its number holds: [0, 10, 25]",
          within(0, longest_s).required());
    field("values", self.values, "the number from each of these times on: [1e6, 0, 5e5]", at_least(0).required());
    field("repeat_after_s", self.repeat_after_s,
          "all comes again after this many seconds, more than the last time; null: the last number stays",
          above_to(0, longest_s));
    field("scale", self.scale, "factor for all numbers: 125 for kbit/s as bytes per second", above(0));
  }
  void check(auto& report) const {
    if (at_s.empty()) report("at_s", "one time or more", "none");
    if (at_s.size() != values.size())
      report("values", std::to_string(at_s.size()) + " numbers, one for each time", values.size());
    for (std::size_t k = 1; k < at_s.size(); ++k)
      if (at_s[k] <= at_s[k - 1]) report("at_s/" + std::to_string(k), "a time after the one before", at_s[k]);
    if (repeat_after_s && !at_s.empty() && *repeat_after_s <= at_s.back())
      report("repeat_after_s", "a time after the last one of at_s", *repeat_after_s);
  }
};

struct SignalTraceOptions {
  static constexpr std::string_view kind = "trace";
  static constexpr std::string_view summary = "numbers that were measured, from a table in a text file";
  std::filesystem::path path;
  NameOrNumber time{0}, column{1};  // a column by its name or number
  double scale = 1, offset_s = 0;
  std::optional<double> repeat_after_s;
  static void fields(auto& self, auto& field) {
    field("path", self.path,
          "table with a comma, semicolon, tab or blanks between columns, with or without a line of names: \"wan.csv\"",
          any_value().required());
    field("time", self.time, "column of times in s, ascending, by its name or number from 0: \"time_s\"");
    field("column", self.column, "column of the numbers, likewise: \"kbit_per_s\"");
    field("scale", self.scale,
          "factor for all numbers: 125 for kbit/s as bytes per second, 125000 for Mbit/s, 0.5 for round trips as "
          "latencies",
          above(0));
    field("offset_s", self.offset_s, "the trace begins there, in s", within(0, longest_s));
    field("repeat_after_s", self.repeat_after_s,
          "all comes again after this many seconds, more than the last time; null: the last number stays",
          above_to(0, longest_s));
  }
};

struct MahimahiOptions {
  static constexpr std::string_view kind = "mahimahi";
  static constexpr std::string_view summary =
      "bandwidth from a file of mahimahi: each line is a ms at which a packet of 1,500 bytes may leave";
  std::filesystem::path path;
  double bin_ms = 100;
  static void fields(auto& self, auto& field) {
    field("path", self.path, "the file; its last line is the time after which it repeats: \"cell.down\"",
          any_value().required());
    field("bin_ms", self.bin_ms, "packets are counted over this many ms; short bins keep the bursts", at_least(1));
  }
};

/// What a number is, which decides what it may be.
enum class SignalRole { latency_ms, bandwidth_bytes_per_s, probability };

Signal make_signal(const ConstantOptions& options, SignalRole role, CheckReport& report);
Signal make_signal(const SignalScheduleOptions& options, SignalRole role, CheckReport& report);
Signal make_signal(const SignalTraceOptions& options, SignalRole role, CheckReport& report);
Signal make_signal(const MahimahiOptions& options, SignalRole role, CheckReport& report);

/// A number that may change with time.
struct SignalFamily {
  static constexpr std::string_view key = "kind", called = "number over time", number_kind = "constant",
                                    number_key = "value";
  using Kinds = Catalogue<Signal, SignalRole, CheckReport&>;
  static const Kinds& catalogue();
};

/// The same, or drawn for each link or agent, which a signal that changes is not.
struct RateFamily {
  static constexpr std::string_view key = "kind", called = "rate", number_kind = "constant", number_key = "value";
  using Kinds = Catalogue<Signal, Draws, CheckReport&>;
  static const Kinds& catalogue();
};

/// Whether it is read from options or a file, and so the same for all.
template <class Family>
bool changes_with_time(const Choice<Family>& choice) {
  return choice.template options_as<SignalScheduleOptions>() || choice.template options_as<SignalTraceOptions>() ||
         choice.template options_as<MahimahiOptions>();
}

}  // namespace lagnet
