#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/assembly/make_agents.hpp"
#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/format/kinds/availability_kinds.hpp"
#include "sim/base/types.hpp"
#include "sim/world/availability_processes.hpp"

namespace lagnet {

namespace {

constexpr std::size_t fields_of_line = 3;

class AvailabilityTraceReader {
 public:
  AvailabilityTraceReader(const std::string& file, AgentId agents) : diagnostics_(file), agents_(agents) {}

  std::vector<Outage> read(std::string_view text) {
    CsvRecords records(text, ',', diagnostics_);
    std::vector<std::string> fields;
    for (bool first = true; records.next(fields); first = false)
      if (!first || !is_header(fields)) read_row(records.line(), fields);
    if (last_.empty() && !diagnostics_.any()) diagnostics_.add(0, "at least one row agent,from_s,up", "none");
    diagnostics_.throw_if_any();
    std::vector<Outage> outages = std::move(over_);
    for (const auto& [agent, last] : last_)
      if (!last.up) outages.push_back({agent, last.since, Time::never()});
    return outages;
  }

 private:
  static bool is_header(const std::vector<std::string>& fields) {
    return fields.size() == fields_of_line && trimmed(fields[0]) == "agent" && trimmed(fields[1]) == "from_s" &&
           trimmed(fields[2]) == "up";
  }

  void read_row(Index line, const std::vector<std::string>& fields) {
    if (fields.size() != fields_of_line)
      return diagnostics_.add(line, "3 fields, agent,from_s,up", fmt::format("{}", fields.size()));
    const std::optional<AgentId> agent = read_agent(line, trimmed(fields[0]));
    const std::optional<Time> from = read_time(line, trimmed(fields[1]));
    const std::string_view up = trimmed(fields[2]);
    const bool good = up == "0" || up == "1";
    if (!good) diagnostics_.add(line, "0 or 1 for up", shown_token(up));
    if (agent && from && good) take(line, *agent, {.up = up == "1", .since = *from, .row = *from});
  }

  std::optional<AgentId> read_agent(Index line, std::string_view token) {
    std::int64_t agent = -1;
    const char* fault = parse_integer(token, agent);
    if (!fault && agent >= 0 && agent < std::int64_t{agents_}) return static_cast<AgentId>(agent);
    diagnostics_.add(line, fmt::format("an agent from 0 to {}", std::int64_t{agents_} - 1), shown_token(token));
    return std::nullopt;
  }

  std::optional<Time> read_time(Index line, std::string_view token) {
    double seconds = -1;
    const char* fault = parse_real(token, seconds);
    if (!fault && moment_limits().contains(seconds)) return Time() + Duration::seconds(seconds);
    diagnostics_.add(line, fmt::format("a time from 0 to {} s", longest_s), shown_token(token));
    return std::nullopt;
  }

  struct State {
    bool up = true;
    Time since;  // when this state began
    Time row;    // the time of the latest row, which may repeat the state
  };

  void take(Index line, AgentId agent, State next) {
    const auto [place, is_first] = last_.try_emplace(agent, next);
    if (is_first) return;
    State& last = place->second;
    if (next.row <= last.row)
      return diagnostics_.add(
          line, fmt::format("a time after {} s, that of agent {}'s row before", last.row.in_seconds(), agent),
          fmt::format("{} s", next.row.in_seconds()));
    last.row = next.row;
    if (next.up == last.up) return;
    if (next.up) over_.push_back({agent, last.since, next.since});
    last = next;
  }

  DataDiagnostics diagnostics_;
  AgentId agents_;
  std::map<AgentId, State> last_;
  std::vector<Outage> over_;  // outages that have ended
};

/// Outages from a CSV file of agent,from_s,up (0 or 1): a row holds until the next one of its agent, whose times
/// ascend; before its first row an agent is up. A header is optional. Throws Diagnosed that names each wrong line.
std::vector<Outage> read_availability_trace(const std::filesystem::path& path, AgentId agents) {
  return AvailabilityTraceReader(path.generic_string(), agents).read(read_data_text(path));
}

/// Reports an agent that does not exist.
std::optional<AgentId> find_agent(const NameOrNumber& agent, const std::string& key,
                                  const AvailabilityContext& context) {
  const auto found = context.names.find(agent);
  if (!found && agent.name.empty())
    context.report(key, fmt::format("an agent below {}, the number of agents", context.names.agents()), agent);
  else if (!found)
    context.report(key, context.names.expected(agent), agent);
  return found;
}

/// The process for these agents; null, with all problems reported, unless each is an agent listed once.
MadeProcess only_for(const std::optional<std::vector<NameOrNumber>>& agents, MadeProcess process,
                     const AvailabilityContext& context) {
  if (!agents) return process;
  std::vector<AgentId> list;
  bool good = true;
  for (std::size_t i = 0; i < agents->size(); ++i) {
    const std::string key = fmt::format("agents/{}", i);
    const auto agent = find_agent((*agents)[i], key, context);
    if (!agent) {
      good = false;
    } else if (std::ranges::find(list, *agent) != list.end()) {
      context.report(key, "an agent that is not listed before", (*agents)[i]);
      good = false;
    } else {
      list.push_back(*agent);
    }
  }
  if (!good) return nullptr;
  return std::make_shared<const OnlyFor>(std::move(list), std::move(process));
}

/// The first process of a kind draws under the kind's name, the next ones under a name with their number.
Purpose numbered(std::string_view kind, std::size_t number) {
  return number == 0 ? Purpose(kind) : Purpose(fmt::format("{} {}", kind, number));
}

MadeProcess make_process(const OnOffOptions& options, const AvailabilityContext& context) {
  const OnOffMeans means{Duration::seconds(options.mean_up_s), Duration::seconds(options.mean_down_s)};
  const Purpose purpose = numbered(OnOffOptions::kind, context.number);
  auto process = std::make_shared<const OnOff>(context.seed, purpose, context.names.agents(), means);
  return only_for(options.agents, std::move(process), context);
}

MadeProcess make_process(const DiurnalOptions& options, const AvailabilityContext& context) {
  const Duration period = Duration::seconds(options.period_s);
  const Duration up = std::max(Duration::nanoseconds(1), Duration::seconds(options.period_s * options.up_share));
  const Purpose purpose = numbered(DiurnalOptions::kind, context.number);
  std::vector<Duration> phases(context.names.agents());
  if (options.random_phase) phases = Diurnal::random_phases(context.seed, purpose, context.names.agents(), period);
  auto process = std::make_shared<const Diurnal>(period, std::min(up, period), std::move(phases));
  return only_for(options.agents, std::move(process), context);
}

MadeProcess make_process(const CrashOptions& options, const AvailabilityContext& context) {
  const auto agent = find_agent(options.agent, "agent", context);
  if (!agent) return nullptr;
  CrashPlan plan{.agent = *agent,
                 .at = Time() + Duration::seconds(options.at_s),
                 .recovers_after = {},
                 .loses_state = options.state == CrashedState::lost};
  if (options.recovers_after_s) plan.recovers_after = Duration::seconds(*options.recovers_after_s);
  return std::make_shared<const Crash>(plan);
}

MadeProcess make_process(const ScheduleOptions& options, const AvailabilityContext& context) {
  std::vector<Outage> outages;
  bool good = true;
  for (std::size_t i = 0; i < options.down.size(); ++i) {
    const auto agent = find_agent(options.down[i].agent, fmt::format("down/{}/agent", i), context);
    good = agent && good;
    outages.push_back(options.down[i].outage(agent.value_or(0)));
  }
  return good ? std::make_shared<const Outages>(std::move(outages)) : nullptr;
}

MadeProcess make_process(const AvailabilityTraceOptions& options, const AvailabilityContext& context) {
  return std::make_shared<const Outages>(read_availability_trace(options.path, context.names.agents()));
}

}  // namespace

// One line a kind, which clang-format would fill up.
// clang-format off
const Catalogue<MadeProcess, const AvailabilityContext&>& AvailabilityFamily::catalogue() {
  static const auto all = Catalogue<MadeProcess, const AvailabilityContext&>::of<
      OnOffOptions,
      DiurnalOptions,
      AvailabilityTraceOptions,
      CrashOptions,
      ScheduleOptions>([](const auto& options, const AvailabilityContext& context) {
    return make_process(options, context);
  });
  return all;
}
// clang-format on

}  // namespace lagnet
