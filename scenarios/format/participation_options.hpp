#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/kinds/availability_kinds.hpp"
#include "scenarios/format/kinds/participation_kinds.hpp"

namespace lagnet {

/// The section "participation" of a scenario: which clients take part in a round, and when agents are up.
struct ParticipationOptions {
  Choice<ClientsFamily> clients;
  std::optional<double> deadline_ms;
  std::optional<std::int64_t> enough;
  std::vector<Choice<AvailabilityFamily>> availability;
  Choice<MissingNeighborFamily> missing_neighbor;
  static void fields(auto& self, auto& field) {
    field("clients", self.clients, "whom a server asks in a round");
    field("deadline_ms", self.deadline_ms,
          "time after which a round closes with the answers that have arrived, in ms; null: no deadline",
          deadline_limits());
    field("enough", self.enough,
          "number of answers that closes a round, so that a server may ask more clients than it needs; null: all",
          at_least(1));
    field("availability", self.availability,
          "when agents are up; with several entries, an agent is up when all of them say so");
    field("missing_neighbor", self.missing_neighbor,
          "what an exchange between neighbors does if a message does not arrive");
  }
  void check(auto& report) const {
    const auto* subset = clients.options_as<RandomSubsetOptions>();
    if (enough && subset && subset->size && *enough > *subset->size)
      report("enough", "at most clients/size, " + std::to_string(*subset->size), *enough);
  }
};

/// Reports crashes from which the server comes back without its state, for an algorithm of this kind, if no other agent
/// has the server's state.
void check_server_keeps_state(const ParticipationOptions& options, std::string_view kind, Diagnostics& diagnostics);
/// Reports crashes that lose an agent's state, if this would break a sum over all agents.
void check_agents_keep_state(const ParticipationOptions& options, std::string_view kind, Diagnostics& diagnostics);

}  // namespace lagnet
