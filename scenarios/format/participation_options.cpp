#include "scenarios/format/participation_options.hpp"

#include <fmt/format.h>

namespace lagnet {

void check_server_keeps_state(const ParticipationOptions& options, std::string_view kind, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < options.availability.size(); ++i) {
    const auto* crash = options.availability[i].options_as<CrashOptions>();
    if (crash && crash->agent == 0 && crash->recovers_after_s && crash->state == CrashedState::lost)
      diagnostics.add(fmt::format("/participation/availability/{}/state", i),
                      fmt::format("\"kept\", since the server of {}, agent 0, has duals that nobody else has", kind),
                      "\"lost\"");
  }
}

void check_agents_keep_state(const ParticipationOptions& options, std::string_view kind, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < options.availability.size(); ++i) {
    const auto* crash = options.availability[i].options_as<CrashOptions>();
    if (crash && crash->recovers_after_s && crash->state == CrashedState::lost)
      diagnostics.add(fmt::format("/participation/availability/{}/state", i),
                      fmt::format("\"kept\", since agents of {} keep sums by what they have sent", kind), "\"lost\"");
  }
}

void check_asked(const ParticipationOptions& options, std::string_view kind, Diagnostics& diagnostics) {
  const std::string why = fmt::format("since {} has no server that asks clients", kind);
  if (!options.clients.options_as<FullOptions>())
    diagnostics.add("/participation/clients/kind", fmt::format("{}, {}", FullOptions::kind, why),
                    std::string(options.clients.kind()));
  if (options.deadline_ms)
    diagnostics.add("/participation/deadline_ms", "null, " + why, fmt::format("{}", *options.deadline_ms));
  if (options.enough) diagnostics.add("/participation/enough", "null, " + why, fmt::format("{}", *options.enough));
}

}  // namespace lagnet
