#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace lagnet {

/// Memory for coroutine frames and for what agents keep beside them, recycled by size on the thread that uses them: a
/// frame a message is too often for malloc, and what a large world goes through in turn had better lie in large pages.
/// Builds with the address sanitizer take every frame from the heap, so that a use after its end is seen.
class FramePool {
 public:
  static void* allocate(std::size_t size);
  static void release(void* frame, std::size_t size) noexcept;
  /// What the last allocation on this thread asked for: a coroutine learns so how large its frame is.
  static std::size_t latest_size() { return latest_size_; }

 private:
  static thread_local constinit std::size_t latest_size_;
};

/// Objects that lie among the frames, by inheritance.
struct Pooled {
  static void* operator new(std::size_t size) { return FramePool::allocate(size); }
  static void operator delete(void* object, std::size_t size) noexcept { FramePool::release(object, size); }
};

/// Vectors that do.
template <class T>
struct PoolAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = PoolAllocator<U>;
  };
  T* allocate(std::size_t count) { return static_cast<T*>(FramePool::allocate(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { FramePool::release(memory, count * sizeof(T)); }
};
template <class T>
using PooledVector = std::vector<T, PoolAllocator<T>>;

}  // namespace lagnet
