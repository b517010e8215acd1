#include "scenarios/format/participation_options.hpp"

#include <fmt/format.h>

namespace lagnet {

void check_no_early_end(const ParticipationOptions& options, std::string_view kind, Diagnostics& diagnostics) {
  const std::string expected = fmt::format("null, since {} waits for all clients that it asks", kind);
  if (options.deadline_ms)
    diagnostics.add("/participation/deadline_ms", expected, fmt::format("{}", *options.deadline_ms));
  if (options.enough) diagnostics.add("/participation/enough", expected, fmt::format("{}", *options.enough));
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
