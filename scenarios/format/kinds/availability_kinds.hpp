#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/kinds/name_or_number.hpp"
#include "scenarios/json/choice.hpp"
#include "sim/base/options.hpp"
#include "sim/world/availability_processes.hpp"

/// The kinds of entries in a scenario's list of availability, one options struct each. Times are simulated seconds
/// since the start of the run, and agents are numbered from 0.
namespace lagnet {

/// Up to 285 years, which whole nanoseconds hold.
constexpr double longest_s = 9e9;
constexpr Limits moment_limits() { return within(0, longest_s); }
/// At least a microsecond, since every stretch up to the queried time is visited.
constexpr Limits stretch_limits() { return within(1e-6, longest_s); }

void check_any(const std::optional<std::vector<NameOrNumber>>& agents, auto& report) {
  if (agents && agents->empty()) report("agents", "one agent or more, or null", "none");
}

struct OnOffOptions {
  static constexpr std::string_view kind = "on_off";
  static constexpr std::string_view summary = "up and down in turn for exponentially distributed times";
  double mean_up_s = 0, mean_down_s = 0;
  std::optional<std::vector<NameOrNumber>> agents;
  static void fields(auto& self, auto& field) {
    field("mean_up_s", self.mean_up_s, "mean time up, in s; the probability of being up is the same at time 0 as later",
          stretch_limits().required());
    field("mean_down_s", self.mean_down_s, "mean time down, in s", stretch_limits().required());
    field("agents", self.agents, "agents that it applies to; null: all, including a server");
  }
  void check(auto& report) const { check_any(agents, report); }
};

struct DiurnalOptions {
  static constexpr std::string_view kind = "diurnal";
  static constexpr std::string_view summary = "up for the first part of every period";
  double period_s = 86400, up_share = 0.5;
  bool random_phase = true;
  std::optional<std::vector<NameOrNumber>> agents;
  static void fields(auto& self, auto& field) {
    field("period_s", self.period_s, "length of a period, in s", stretch_limits());
    field("up_share", self.up_share, "share of the period in which an agent is up", above_to(0, 1));
    field("random_phase", self.random_phase,
          "true: each agent starts at a drawn point of its period; false: at the beginning");
    field("agents", self.agents, "agents that it applies to; null: all, including a server");
  }
  void check(auto& report) const { check_any(agents, report); }
};

struct AvailabilityTraceOptions {
  static constexpr std::string_view kind = "trace";
  static constexpr std::string_view summary = "recorded in a CSV file with the columns agent, from_s, up (0 or 1)";
  std::filesystem::path path;
  static void fields(auto& self, auto& field) {
    field("path", self.path,
          "the file, relative to the scenario file, plain or compressed; the header is optional; times ascend for each "
          "agent, and a row holds until the agent's next row; before its first row an agent is up",
          any_value().required());
  }
};

enum class CrashedState { kept, lost };
constexpr auto spellings(CrashedState) {
  return std::array{Spelling{CrashedState::kept, "kept"}, Spelling{CrashedState::lost, "lost"}};
}

struct CrashOptions {
  static constexpr std::string_view kind = "crash";
  static constexpr std::string_view summary = "one agent fails, once";
  NameOrNumber agent;
  double at_s = 0;
  std::optional<double> recovers_after_s;
  CrashedState state = CrashedState::lost;
  static void fields(auto& self, auto& field) {
    field("agent", self.agent, "the agent", any_value().required());
    field("at_s", self.at_s, "when, in s", moment_limits().required());
    field("recovers_after_s", self.recovers_after_s, "how long it is down, in s; null: permanently", stretch_limits());
    field("state", self.state, "kept: the agent goes on where it was; lost: it starts from the beginning");
  }
};

struct ScheduledOutageOptions {
  NameOrNumber agent;
  double from_s = 0, until_s = 0;
  static void fields(auto& self, auto& field) {
    field("agent", self.agent, "the agent", any_value().required());
    field("from_s", self.from_s, "when it goes down, in s", moment_limits().required());
    field("until_s", self.until_s, "when it is up again, in s", moment_limits().required());
  }
  Outage outage(AgentId of) const {
    return {of, Time() + Duration::seconds(from_s), Time() + Duration::seconds(until_s)};
  }
};

struct ScheduleOptions {
  static constexpr std::string_view kind = "schedule";
  static constexpr std::string_view summary = "down in the listed windows";
  std::vector<ScheduledOutageOptions> down;
  static void fields(auto& self, auto& field) {
    field("down", self.down, "the windows, in any order; those of one agent do not overlap", any_value().required());
  }
  /// Every window lasts a nanosecond or longer, and does not overlap another of its agent.
  void check(CheckReport& report) const;
};

struct AvailabilityContext;

struct AvailabilityFamily {
  static constexpr std::string_view key = "kind", called = "availability";
  static const Catalogue<std::shared_ptr<const AvailabilityProcess>, const AvailabilityContext&>& catalogue();
};

}  // namespace lagnet
