#include <fmt/format.h>

#include "scenarios/assembly/catalogues/speed_trace.hpp"

namespace lagnet {

namespace {

/// The class in whose part of the unit interval u lies; the last one also takes what rounding leaves of it.
const SpeedClass& class_at(const std::vector<SpeedClass>& classes, double u) {
  double end = 0;
  for (const SpeedClass& one : classes) {
    end += one.share;
    if (u < end) return one;
  }
  return classes.back();
}

/// The same as drawn numbers: the speed of agent a is the draw for purpose "speed" and agent a.
template <class Options>
AgentSpeeds make_speeds(const Options& distribution, AgentId agents, std::uint64_t seed, CheckReport&) {
  AgentSpeeds speeds;
  for (AgentId a = 0; a < agents; ++a)
    speeds.push_back({{Time(), draw(distribution, Draws(seed, Purpose{"speed"}, a))}});
  return speeds;
}

AgentSpeeds make_speeds(const SpeedListOptions& options, AgentId agents, std::uint64_t, CheckReport& report) {
  if (options.values.size() != agents)
    report("values", fmt::format("{} speeds, one for each agent", agents), options.values.size());
  AgentSpeeds speeds;
  for (const double speed : options.values) speeds.push_back({{Time(), speed}});
  return speeds;
}

AgentSpeeds make_speeds(const SpeedClassesOptions& options, AgentId agents, std::uint64_t seed, CheckReport&) {
  AgentSpeeds speeds;
  for (AgentId a = 0; a < agents; ++a) {
    const SpeedClass& chosen = class_at(options.classes, Draws(seed, Purpose{"speed_class"}, a).uniform());
    speeds.push_back({{Time(), chosen.speed_flops_per_s.make(Draws(seed, Purpose{"speed"}, a))}});
  }
  return speeds;
}

AgentSpeeds make_speeds(const SpeedTraceOptions& options, AgentId agents, std::uint64_t, CheckReport&) {
  return read_speed_trace(options.path, agents);
}

template <class Options>
auto speed_line() {
  return entry<Options>([](const Options& options, AgentId agents, std::uint64_t seed, CheckReport& report) {
    return make_speeds(options, agents, seed, report);
  });
}

template <class... Options, class... Lines>
SpeedFamily::Kinds speeds(KindList<Options...>, Lines... others) {
  return SpeedFamily::Kinds(speed_line<Options>()..., others...);
}

}  // namespace

// One line an entry, which clang-format would fill up.
// clang-format off
const SpeedFamily::Kinds& SpeedFamily::catalogue() {
  static const Kinds all = speeds(Distributions(),
      speed_line<SpeedListOptions>(),
      speed_line<SpeedClassesOptions>(),
      speed_line<SpeedTraceOptions>());
  return all;
}
// clang-format on

}  // namespace lagnet
