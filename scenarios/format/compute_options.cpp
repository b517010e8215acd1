#include "scenarios/format/compute_options.hpp"

#include <fmt/format.h>

#include "scenarios/assembly/speed_trace.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/distribution_bounds.hpp"

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

}  // namespace

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

void check_compute(const ComputeOptions& options, Problems& problems) {
  CheckReport report("/compute", problems);
  check_drawn(report, "speed_flops_per_s", options.speed_flops_per_s, at_least(slowest_flops_per_s));
  if (const auto* some = options.speed_flops_per_s.options_as<SpeedClassesOptions>())
    for (std::size_t i = 0; i < some->classes.size(); ++i)
      check_drawn(report, fmt::format("speed_flops_per_s/classes/{}/speed_flops_per_s", i),
                  some->classes[i].speed_flops_per_s, at_least(slowest_flops_per_s));
  if (options.memory_bandwidth_bytes_per_s)
    check_drawn(report, "memory_bandwidth_bytes_per_s", *options.memory_bandwidth_bytes_per_s,
                at_least(slowest_bytes_per_s));
}

CipherCosts make_cipher_costs(const EncryptionOptions& options) {
  return {.encrypt = Duration::milliseconds(options.encrypt_ms),
          .decrypt = Duration::milliseconds(options.decrypt_ms),
          .add = Duration::milliseconds(options.add_ms),
          .cores = options.cores};
}

ComputeModel make_compute(const ComputeOptions& options, AgentId agents, std::uint64_t seed, const std::string& shown) {
  Problems problems(shown);
  ComputeSpec spec;
  spec.seed = seed;
  const std::string place = "/compute/speed_flops_per_s";
  check_compute(options, problems);
  CheckReport report(place, problems);
  attempt(problems, place, [&] { spec.speed = options.speed_flops_per_s.make(agents, seed, report); });
  problems.throw_if_any();
  if (options.memory_bandwidth_bytes_per_s)
    for (AgentId a = 0; a < agents; ++a)
      spec.memory_bandwidth_bytes_per_s.push_back(
          options.memory_bandwidth_bytes_per_s->make(Draws(seed, Purpose{"memory_bandwidth"}, a)));
  if (options.straggler)
    spec.straggler = {.probability = options.straggler->probability,
                      .factor = options.straggler->factor,
                      .mean_rounds = options.straggler->mean_rounds.value_or(std::numeric_limits<double>::infinity())};
  return ComputeModel(spec);
}

}  // namespace lagnet
