#include "scenarios/assembly/make_agents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "topologies/generators/elementary.hpp"

namespace lagnet {

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

CipherCosts make_cipher_costs(const EncryptionOptions& options) {
  return {.encrypt = Duration::milliseconds(options.encrypt_ms),
          .decrypt = Duration::milliseconds(options.decrypt_ms),
          .add = Duration::milliseconds(options.add_ms),
          .cores = options.cores};
}

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

std::shared_ptr<const Availability> make_availability(const ParticipationOptions& options, const AgentNames& names,
                                                      std::uint64_t seed, Diagnostics& diagnostics) {
  if (options.availability.empty()) return nullptr;
  std::vector<std::shared_ptr<const AvailabilityProcess>> processes;
  std::vector<Diagnostic> of_files;
  std::map<std::string_view, std::size_t> made_of_kind;
  for (std::size_t i = 0; i < options.availability.size(); ++i) {
    const Choice<AvailabilityFamily>& entry = options.availability[i];
    CheckReport report(fmt::format("/participation/availability/{}", i), diagnostics);
    const AvailabilityContext context{names, seed, made_of_kind[entry.kind()]++, report};
    try {
      processes.push_back(entry.make(context));
    } catch (const Diagnosed& error) {
      processes.push_back(nullptr);
      of_files.insert(of_files.end(), error.diagnostics.begin(), error.diagnostics.end());
    }
  }
  if (!of_files.empty()) throw Diagnosed(std::move(of_files));
  if (std::ranges::find(processes, nullptr) != processes.end()) return nullptr;
  auto made = std::make_shared<const Availability>(names.agents(), std::move(processes));
  for (AgentId agent = 0; agent < names.agents(); ++agent) {
    try {
      made->next_up(agent, Time());
    } catch (const std::runtime_error& error) {
      diagnostics.add("/participation/availability", "a time at which all entries say up", error.what());
      return nullptr;
    }
  }
  return made;
}

void warn_of_absent_server(const ParticipationOptions& options, Remarks& warnings) {
  for (std::size_t i = 0; i < options.availability.size(); ++i) {
    const Json entry = options.availability[i].write();
    if (entry.contains("agents") && entry["agents"].is_null())
      warnings.push_back(
          {"server_away",
           {},
           fmt::format(
               "the server, agent 0, is away at times like its clients: participation.availability[{}].agents is "
               "null, which means all; list the clients if it is to stay",
               i)});
  }
}

std::shared_ptr<const Participation> make_participation(const ParticipationOptions& options, AgentId agents,
                                                        AgentId clients, std::uint64_t seed, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.count();
  const auto at_most_agents = [&](const char* pointer, std::int64_t found) {
    if (found > std::int64_t{agents})
      diagnostics.add(pointer, fmt::format("at most {}, the number of agents", agents), fmt::format("{}", found));
  };
  if (options.enough && *options.enough > std::int64_t{clients})
    diagnostics.add("/participation/enough",
                    fmt::format("at most {}, the number of {}", clients, clients < agents ? "clients" : "agents"),
                    fmt::format("{}", *options.enough));
  if (const auto* subset = options.clients.options_as<RandomSubsetOptions>(); subset && subset->size)
    at_most_agents("/participation/clients/size", *subset->size);
  if (const auto* cyclic = options.clients.options_as<CyclicOptions>())
    at_most_agents("/participation/clients/groups", cyclic->groups);
  if (const auto* listed = options.clients.options_as<ListedOptions>())
    for (std::size_t i = 0; i < listed->rounds.size(); ++i)
      for (std::size_t k = 0; k < listed->rounds[i].size(); ++k)
        if (listed->rounds[i][k] >= std::int64_t{agents})
          diagnostics.add(fmt::format("/participation/clients/rounds/{}/{}", i, k),
                          fmt::format("an agent below {}, the number of agents", agents),
                          fmt::format("{}", listed->rounds[i][k]));
  if (diagnostics.count() != before) return nullptr;
  return options.clients.make(seed);
}

RoundRule make_round_rule(const ParticipationOptions& options) {
  RoundRule rule;
  if (options.deadline_ms) rule.deadline = Duration::milliseconds(*options.deadline_ms);
  if (options.enough) rule.enough = static_cast<std::size_t>(*options.enough);
  return rule;
}

bool check_server(const AlgorithmTraits& traits, const Topology& topology, const Participation* participation,
                  Diagnostics& diagnostics) {
  if (!traits.server) return true;
  const std::size_t before = diagnostics.count();
  if (topology.agents() < 2)
    diagnostics.add("/topology", "at least 2 agents, a server and a client", fmt::format("{}", topology.agents()));
  std::vector<AgentId> clients(topology.neighbors(server_agent).begin(), topology.neighbors(server_agent).end());
  std::vector<AgentId> strangers;
  if (traits.two_levels) {
    if (traits.edges == 0)
      diagnostics.add("/topology/kind", "two_level_tree: agent 0, edge servers, and below each of them its clients",
                      "another topology");
    clients.clear();
    for (auto a = static_cast<AgentId>(1 + traits.edges); a < topology.agents(); ++a) clients.push_back(a);
  } else {
    for (AgentId a = 0; a < topology.agents(); ++a)
      if (a != server_agent && !std::ranges::binary_search(clients, a)) strangers.push_back(a);
  }
  if (!strangers.empty())
    diagnostics.add("/topology", fmt::format("a link from the server, agent {}, to each other agent", server_agent),
                    fmt::format("none to {}; a {} around agent {} has all of them", first_agents(strangers),
                                StarOptions::kind, server_agent));
  if (diagnostics.count() == before && participation)
    for (const Diagnostic& one : participation->diagnostics(clients))
      diagnostics.add("/participation/clients/" + one.where, one.expected, one.found);
  return diagnostics.count() == before;
}

}  // namespace lagnet
