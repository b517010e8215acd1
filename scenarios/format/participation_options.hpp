#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/kinds/availability_kinds.hpp"
#include "scenarios/format/kinds/participation_kinds.hpp"

namespace lagnet {

/// The section `participation` of a scenario: who takes part in a round, and who is up when.
struct ParticipationOptions {
  Choice<ClientsFamily> clients;
  std::optional<double> deadline_ms;
  std::optional<std::int64_t> enough;
  std::vector<Choice<AvailabilityFamily>> availability;
  Choice<MissingNeighborFamily> missing_neighbor;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("clients", self.clients, "whom a server asks in a round");
    field("deadline_ms", self.deadline_ms,
          "from asking to closing the round with the answers that came, in ms; null: no deadline", deadline_limits());
    field("enough", self.enough,
          "answers with which a round is closed, so that a server may ask more clients than it needs; null: all",
          at_least(1));
    field("availability", self.availability, "when agents are up: at the times at which all entries say so");
    field("missing_neighbor", self.missing_neighbor,
          "what an exchange between neighbors does when a message does not come");
  }
  template <class Report>
  void check(Report& report) const {
    const auto* subset = clients.options_as<RandomSubsetOptions>();
    if (enough && subset && subset->size && *enough > *subset->size)
      report("enough", "at most clients/size, " + std::to_string(*subset->size), *enough);
  }
};

/// Adds what closes rounds before all have answered, for an algorithm of this kind, which waits for all.
void check_no_early_end(const ParticipationOptions& options, std::string_view kind, Problems& problems);

/// Adds what is said about asking clients, for an algorithm of this kind, which has no server.
void check_asked(const ParticipationOptions& options, std::string_view kind, Problems& problems);

}  // namespace lagnet
