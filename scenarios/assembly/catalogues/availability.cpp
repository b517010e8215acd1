#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/assembly/catalogues/availability_trace.hpp"
#include "scenarios/assembly/make_participation.hpp"
#include "scenarios/json/fields.hpp"

namespace lagnet {

namespace {

/// Reports an agent that is none; true if it is one.
bool is_agent(std::int64_t agent, const std::string& key, const AvailabilityContext& context) {
  if (agent < std::int64_t{context.agents}) return true;
  context.report(key, fmt::format("an agent below {}, the number of agents", context.agents), agent);
  return false;
}

/// The process for those agents alone; null, and everything reported, unless all are agents that stand there once.
MadeProcess only_for(const std::optional<std::vector<std::int64_t>>& agents, MadeProcess process,
                     const AvailabilityContext& context) {
  if (!agents) return process;
  std::vector<AgentId> list;
  bool good = true;
  for (std::size_t i = 0; i < agents->size(); ++i) {
    const std::int64_t agent = (*agents)[i];
    const std::string key = fmt::format("agents/{}", i);
    if (!is_agent(agent, key, context)) {
      good = false;
    } else if (std::ranges::find(list, static_cast<AgentId>(agent)) != list.end()) {
      context.report(key, "an agent that is not listed before", agent);
      good = false;
    } else {
      list.push_back(static_cast<AgentId>(agent));
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
  auto process = std::make_shared<const OnOff>(context.seed, purpose, context.agents, means);
  return only_for(options.agents, std::move(process), context);
}

MadeProcess make_process(const DiurnalOptions& options, const AvailabilityContext& context) {
  const Duration period = Duration::seconds(options.period_s);
  const Duration up = std::max(Duration::nanoseconds(1), Duration::seconds(options.period_s * options.up_share));
  const Purpose purpose = numbered(DiurnalOptions::kind, context.number);
  std::vector<Duration> phases(context.agents);
  if (options.random_phase) phases = Diurnal::random_phases(context.seed, purpose, context.agents, period);
  auto process = std::make_shared<const Diurnal>(period, std::min(up, period), std::move(phases));
  return only_for(options.agents, std::move(process), context);
}

MadeProcess make_process(const CrashOptions& options, const AvailabilityContext& context) {
  if (!is_agent(options.agent, "agent", context)) return nullptr;
  CrashPlan plan{.agent = static_cast<AgentId>(options.agent),
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
    good = is_agent(options.down[i].agent, fmt::format("down/{}/agent", i), context) && good;
    outages.push_back(options.down[i].outage());
  }
  return good ? std::make_shared<const Outages>(std::move(outages)) : nullptr;
}

MadeProcess make_process(const AvailabilityTraceOptions& options, const AvailabilityContext& context) {
  return std::make_shared<const Outages>(read_availability_trace(options.path, context.agents));
}

template <class Options>
auto availability_line() {
  return entry<Options>(
      [](const Options& options, const AvailabilityContext& context) { return make_process(options, context); });
}

}  // namespace

// One line an entry, which clang-format would fill up.
// clang-format off
const Catalogue<MadeProcess, const AvailabilityContext&>& AvailabilityFamily::catalogue() {
  static const Catalogue<MadeProcess, const AvailabilityContext&> all(
      availability_line<OnOffOptions>(),
      availability_line<DiurnalOptions>(),
      availability_line<AvailabilityTraceOptions>(),
      availability_line<CrashOptions>(),
      availability_line<ScheduleOptions>());
  return all;
}
// clang-format on

}  // namespace lagnet
