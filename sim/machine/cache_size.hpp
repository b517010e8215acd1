#pragma once

#include <cstdint>

namespace lagnet {

/// Bytes of a core's second-level cache, as the system says; 1 MiB where it does not. Use it to schedule work, never
/// where it could change a result.
std::int64_t second_level_cache();

}  // namespace lagnet
