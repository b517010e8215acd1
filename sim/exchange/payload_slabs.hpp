#pragma once

#include <cstddef>

namespace lagnet::detail {

/// Whether these bytes are in one of the blocks of memory from which this thread's payloads are taken: for tests.
bool is_in_one_slab(const void* first, std::size_t bytes);

}  // namespace lagnet::detail
