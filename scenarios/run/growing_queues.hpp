#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/result_columns.hpp"
#include "sim/base/remark.hpp"
#include "sim/base/sim_event.hpp"

namespace lagnet {

/// A remark if messages queue without limit: those in flight grow like the time, from a quarter of the run to its half
/// and to its end, to several on each of `links`. With the cure; nothing where they do not, or too few rows say.
std::optional<Remark> growing_queues(const std::vector<Row>& rows, LinkId links);

}  // namespace lagnet
