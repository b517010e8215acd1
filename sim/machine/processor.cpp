#include "sim/machine/processor.hpp"

#include <unistd.h>

namespace lagnet {

std::int64_t second_level_cache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  static const long known = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (known > 0) return known;
#endif
  return std::int64_t{1} << 20;
}

}  // namespace lagnet
