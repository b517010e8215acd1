#pragma once

#include <cstdint>

namespace lagnet {

/// Bytes of a core's second-level cache, as the system says; 1 MiB where it does not. For what is done sooner or later,
/// never for what is computed.
std::int64_t second_level_cache();

}  // namespace lagnet
