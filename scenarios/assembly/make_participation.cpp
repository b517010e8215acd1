#include "scenarios/assembly/make_participation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

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

}  // namespace lagnet
