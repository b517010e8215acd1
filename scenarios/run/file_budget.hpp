#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/format/scenario.hpp"
#include "sim/base/remark.hpp"

namespace lagnet {

/// A file that grows with every event, trace.jsonl or timeline.json.
struct GrowingFile {
  std::string_view name;
  std::int64_t bytes = 0;       // so far
  std::optional<Time> full_at;  // where its budget has ended it
};

/// The bytes after which such a file ends.
std::int64_t budget_bytes(const RecordOptions& record);

/// A remark if the file will be longer than its budget, with rounds like the first ones; nothing if it will not, or if
/// the last round is not known.
std::optional<Remark> will_outgrow(const GrowingFile& file, Round round, const Scenario& scenario);

/// A remark if the file ended before the run; nothing otherwise.
std::optional<Remark> has_ended_early(const GrowingFile& file, const RecordOptions& record);

}  // namespace lagnet
