#pragma once

#include <filesystem>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/world/availability_processes.hpp"

namespace lagnet {

/// Outages from a CSV file of agent,from_s,up (0 or 1): a row holds until the next one of its agent, whose times
/// ascend; before its first row an agent is up. A header is optional. Throws DataError that names each wrong line.
std::vector<Outage> read_availability_trace(const std::filesystem::path& path, AgentId agents);

}  // namespace lagnet
