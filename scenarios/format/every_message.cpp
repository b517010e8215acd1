#include "scenarios/format/every_message.hpp"

#include <fmt/format.h>

#include <string>

namespace lagnet {

void check_losses_repaired(const SetFeatures& features, std::string_view since, Diagnostics& diagnostics) {
  for (const SetFeature& one : features.list)
    if (!one.is_declared() || (one.effects().losses == Losses::unless_sent_again && !features.are_losses_repaired))
      diagnostics.add(one.place(), fmt::format("{}, or retransmit, since {}", one.usual_words(), since), one.words());
}

void check_every_message(const SetFeatures& features, std::string_view why, bool has_server, Diagnostics& diagnostics) {
  check_losses_repaired(features, why, diagnostics);
  for (const SetFeature& one : features.list)
    if (one.is_declared() && one.effects().losses == Losses::for_good && (has_server || !one.effects().is_for_servers))
      diagnostics.add(one.place(), fmt::format("{}, since {}", one.usual_words(), why), one.words());
}

namespace {

void check_no_asking(const SetFeatures& features, const std::string& why, Diagnostics& diagnostics) {
  for (const SetFeature& one : features.list)
    if (one.effects().is_for_servers) diagnostics.add(one.place(), one.usual_words() + ", " + why, one.words());
}

}  // namespace

void check_asked(const SetFeatures& features, std::string_view kind, Diagnostics& diagnostics) {
  check_no_asking(features, fmt::format("since {} has no server that asks clients", kind), diagnostics);
}

void check_nobody_waits(const SetFeatures& features, Diagnostics& diagnostics) {
  const std::string why = "since an asynchronous method does not wait";
  check_no_asking(features, why, diagnostics);
  for (const SetFeature& one : features.list)
    if (one.key == "participation.missing_neighbor")
      diagnostics.add(one.place(), one.usual_words() + ", " + why, one.words());
}

}  // namespace lagnet
