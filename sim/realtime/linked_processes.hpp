#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/world/network.hpp"

namespace lagnet {

/// Two processes with links between their agents; the smaller number comes first.
using ProcessPair = std::pair<std::uint32_t, std::uint32_t>;

/// All of them, ascending; `process_of` is by agent.
std::vector<ProcessPair> linked_processes(const Network& network, const std::vector<std::uint32_t>& process_of);

/// Those that a process is in a pair with, ascending.
std::vector<std::uint32_t> partners_of(std::uint32_t process, const std::vector<ProcessPair>& pairs);

}  // namespace lagnet
