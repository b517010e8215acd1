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

namespace {

/// Reports what says whom to ask and how long to wait for answers.
void check_rounds_of_answers(const ParticipationOptions& options, const std::string& why, Diagnostics& diagnostics) {
  if (!options.clients.options_as<FullOptions>())
    diagnostics.add("/participation/clients/kind", fmt::format("{}, {}", FullOptions::kind, why),
                    std::string(options.clients.kind()));
  if (options.deadline_ms)
    diagnostics.add("/participation/deadline_ms", "null, " + why, fmt::format("{}", *options.deadline_ms));
  if (options.enough) diagnostics.add("/participation/enough", "null, " + why, fmt::format("{}", *options.enough));
}

}  // namespace

void check_asked(const ParticipationOptions& options, std::string_view kind, Diagnostics& diagnostics) {
  check_rounds_of_answers(options, fmt::format("since {} has no server that asks clients", kind), diagnostics);
}

void check_nobody_waits(const ParticipationOptions& options, Diagnostics& diagnostics) {
  const std::string why = "since an asynchronous method does not wait";
  check_rounds_of_answers(options, why, diagnostics);
  if (!options.missing_neighbor.options_as<WaitOptions>())
    diagnostics.add("/participation/missing_neighbor/kind", fmt::format("{}, {}", WaitOptions::kind, why),
                    std::string(options.missing_neighbor.kind()));
}

}  // namespace lagnet
