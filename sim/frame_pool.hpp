#pragma once

#include <cstddef>

namespace lagnet {

/// Memory for coroutine frames, recycled by size on the thread that uses them: a frame a message is too often for
/// malloc. Builds with the address sanitizer take every frame from the heap, so that a use after its end is seen.
class FramePool {
 public:
  static void* allocate(std::size_t size);
  static void release(void* frame, std::size_t size) noexcept;
};

}  // namespace lagnet
