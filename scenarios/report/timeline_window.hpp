#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// The part of a timeline.json that is drawn.
struct TimelineWindow {
  double from_s = 0;
  std::optional<double> to_s;   // nothing: as far as slices_max reaches
  std::int64_t agents_max = 1;  // rows, from agent 0 on
  std::size_t slices_max = 1;   // a window that has more ends earlier
};

/// What agents did and which messages were on their way in the window, as
///
///     {"from_s": 0, "to_s": 0.5, "agents": [0, 1, ..], "remark": "why it is not more, or nothing",
///      "slices": [[agent, activity, start_s, end_s, round], ..]}
///
/// by start. Activities are compute, encrypt, wait, sleep and away, cut where the window begins and ends. Messages that
/// were on their way in the window are transfer and lost in the receiver's row, from departure to arrival even outside
/// of the window, with the sender's number as a sixth value; for a message that did not arrive, a seventh has the cause
/// of its loss, or says that it was unfinished when the run ended. Only slices of the window are in memory. Throws
/// OutputError, naming file and line, for a file that a run did not write.
Json read_timeline_window(const std::filesystem::path& path, std::int64_t agents, const TimelineWindow& window);

}  // namespace lagnet
