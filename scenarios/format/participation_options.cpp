#include "scenarios/format/participation_options.hpp"

#include <fmt/format.h>

namespace lagnet {

void check_server_keeps_state(const ParticipationOptions& options, std::string_view kind, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < options.availability.size(); ++i) {
    const auto* crash = options.availability[i].options_as<CrashOptions>();
    if (crash && crash->agent == 0 && crash->recovers_after_s && crash->state == CrashedState::lost)
      diagnostics.add(fmt::format("/participation/availability/{}/state", i),
                      fmt::format("\"kept\", since no other agent has the state of the server of {}, agent 0", kind),
                      "\"lost\"");
  }
}

void check_agents_keep_state(const ParticipationOptions& options, std::string_view kind, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < options.availability.size(); ++i) {
    const auto* crash = options.availability[i].options_as<CrashOptions>();
    if (crash && crash->recovers_after_s && crash->state == CrashedState::lost)
      diagnostics.add(fmt::format("/participation/availability/{}/state", i),
                      fmt::format("\"kept\", since agents of {} keep sums of what they have sent", kind), "\"lost\"");
  }
}

}  // namespace lagnet
