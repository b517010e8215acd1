#include "scenarios/format/every_message.hpp"

#include <fmt/format.h>

#include <string>

namespace lagnet {

namespace {

/// An option that does not go with such an algorithm, where it is set.
struct Refusal {
  bool is_set;
  const char* pointer;
  std::string expected, found;
};

}  // namespace

void check_every_message(const Scenario& scenario, std::string_view why, bool has_server, Diagnostics& diagnostics) {
  check_losses_repaired(scenario.network, why, diagnostics);
  const ParticipationOptions& who = scenario.participation;
  const auto& changes = scenario.topology.common().changes;
  const Refusal refusals[]{
      {!who.missing_neighbor.options_as<WaitOptions>(), "/participation/missing_neighbor/kind",
       std::string(WaitOptions::kind), std::string(who.missing_neighbor.kind())},
      {!who.availability.empty(), "/participation/availability", "none",
       fmt::format("{} of them", who.availability.size())},
      {changes.has_value(), "/topology/changes", "null", changes ? std::string(changes->kind()) : ""},
      {has_server && !who.clients.options_as<FullOptions>(), "/participation/clients/kind",
       std::string(FullOptions::kind), std::string(who.clients.kind())},
      {has_server && who.deadline_ms, "/participation/deadline_ms", "null",
       fmt::format("{}", who.deadline_ms.value_or(0))},
      {has_server && who.enough, "/participation/enough", "null", fmt::format("{}", who.enough.value_or(0))}};
  for (const auto& [is_set, pointer, expected, found] : refusals)
    if (is_set) diagnostics.add(pointer, fmt::format("{}, since {}", expected, why), found);
}

}  // namespace lagnet
