#pragma once

#include <filesystem>

#include "scenarios/format/kinds/speed_kinds.hpp"

namespace lagnet {

/// Speeds that change with time, from a CSV file with header agent,from_s,speed_flops_per_s: a line says from when on
/// an agent has which speed. An agent's lines have ascending times (in s, the first 0, at most 9e9), other agents'
/// lines may stand between them. A speed is 0 or at least 1, an agent's last one not 0. Throws DataError that names
/// each wrong line, and each agent below `agents` that has none.
AgentSpeeds read_speed_trace(const std::filesystem::path& path, AgentId agents);

}  // namespace lagnet
