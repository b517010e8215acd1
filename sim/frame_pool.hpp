#pragma once

#include <cstddef>

namespace lagnet {

/// Memory for coroutine frames, recycled by size on the thread that uses them: a frame a message is too often for
/// malloc. Builds with the address sanitizer take every frame from the heap, so that a use after its end is seen.
class FramePool {
 public:
  static void* allocate(std::size_t size);
  static void release(void* frame, std::size_t size) noexcept;
  /// What the last allocation on this thread asked for: a coroutine learns so how large its frame is.
  static std::size_t latest_size() { return latest_size_; }

 private:
  static thread_local constinit std::size_t latest_size_;
};

}  // namespace lagnet
