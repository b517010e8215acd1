#include "scenarios/assembly/make_compute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "scenarios/format/collect_diagnostics.hpp"

namespace lagnet {

CipherCosts make_cipher_costs(const EncryptionOptions& options) {
  return {.encrypt = Duration::milliseconds(options.encrypt_ms),
          .decrypt = Duration::milliseconds(options.decrypt_ms),
          .add = Duration::milliseconds(options.add_ms),
          .cores = options.cores};
}

namespace {

/// The times of one agent's updates: a number of ms, or a list of some.
std::vector<Duration> update_times(const Json& given, const std::string& place, Diagnostics& diagnostics) {
  constexpr double longest_ms = 9e12;
  std::vector<Duration> times;
  const auto add = [&](const Json& ms, const std::string& where) {
    if (ms.is_number() && ms.get<double>() >= 0 && ms.get<double>() <= longest_ms)
      times.push_back(Duration::milliseconds(ms.get<double>()));
    else
      diagnostics.add(where, "a number of ms from 0 to 9e12", lagnet::shown(ms));
  };
  if (!given.is_array()) {
    add(given, place);
  } else if (given.empty()) {
    diagnostics.add(place, "a list of one or more times in ms", lagnet::shown(given));
  } else {
    for (std::size_t k = 0; k < given.size(); ++k) add(given[k], child_pointer(place, std::to_string(k)));
  }
  return times;
}

/// By agent; a server makes no updates.
std::vector<std::vector<Duration>> all_update_times(const Json& given, AgentId agents, bool has_server,
                                                    Diagnostics& diagnostics) {
  const std::string place = "/compute/update_ms";
  if (given.is_null()) return {};
  const std::size_t first = has_server ? 1 : 0, some = agents - first;
  std::vector<std::vector<Duration>> times(agents, {Duration()});
  if (given.is_array() && given.size() != some) {
    diagnostics.add(place, fmt::format("{} times, one for each agent{}", some, has_server ? " but the server" : ""),
                    fmt::format("{}", given.size()));
    return {};
  }
  for (std::size_t k = 0; k < some; ++k) {
    if (given.is_array())
      times[first + k] = update_times(given[k], child_pointer(place, std::to_string(k)), diagnostics);
    else if (k == 0)
      times[first] = update_times(given, place, diagnostics);
    else
      times[first + k] = times[first];
  }
  return times;
}

}  // namespace

ComputeModel make_compute(const ComputeOptions& options, AgentId agents, std::uint64_t seed, const std::string& shown,
                          const AlgorithmTraits& traits) {
  Diagnostics diagnostics(shown);
  ComputeSpec spec;
  spec.seed = seed;
  const std::string place = "/compute/speed_flops_per_s";
  check_compute(options, diagnostics);
  CheckReport report(place, diagnostics);
  collect_diagnostics(diagnostics, place, [&] { spec.speed = options.speed_flops_per_s.make(agents, seed, report); });
  spec.update_times = all_update_times(options.update_ms, agents, traits.server, diagnostics);
  const auto takes_no_time = [](const std::vector<Duration>& times) {
    return std::ranges::count(times, Duration()) > 0;
  };
  if (traits.updates_need_time && options.clock.kind() == FreeClockOptions::kind &&
      std::ranges::any_of(spec.update_times, takes_no_time))
    diagnostics.add("/compute/update_ms",
                    "times above 0, or a clock: an agent begins its next update as soon as the last one ends",
                    lagnet::shown(options.update_ms));
  spec.has_rounds = !traits.depends_on_order;
  diagnostics.throw_if_any();
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
