#include "sim/machine/frame_pool.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "sim/machine/huge_pages.hpp"
#include "sim/machine/poison.hpp"

namespace lagnet {

thread_local constinit std::size_t FramePool::latest_size_ = 0;

#ifdef LAGNET_POISONS

void* FramePool::allocate(std::size_t size) {
  latest_size_ = size;
  return ::operator new(size);
}
void FramePool::release(void* frame, std::size_t) noexcept { ::operator delete(frame); }

#else

namespace {

constexpr std::size_t grain = 16;
constexpr std::size_t classes = 256;  // frames up to 4 KiB are recycled
constexpr std::size_t slab_bytes = std::size_t{1} << 16;
constexpr std::size_t small_slabs = 16;  // then slabs get large, of which memory is taken as it is used
constexpr std::size_t large_slab_bytes = 8 * huge_page;

/// Frames of one size come out of slabs, without the header that malloc puts before each.
class Frames {
 public:
  void* take(std::size_t size) {
    ++outstanding_;
    Node*& head = free_[size / grain - 1];
    if (head) return std::exchange(head, head->next);
    if (static_cast<std::size_t>(end_ - next_) < size) add_slab();
    return std::exchange(next_, next_ + size);
  }
  void give_back(void* frame, std::size_t size) noexcept {
    --outstanding_;
    Node*& head = free_[size / grain - 1];
    head = new (frame) Node{head};
  }
  ~Frames() {
    // A frame that another thread has, or gave back, keeps its slab.
    if (outstanding_ != 0) return;
    for (std::byte* slab : slabs_) ::operator delete(slab);
  }

 private:
  struct Node {
    Node* next;
  };
  void add_slab() {
    const std::size_t bytes = slabs_.size() < small_slabs ? slab_bytes : large_slab_bytes;
    next_ = static_cast<std::byte*>(::operator new(bytes));
    end_ = next_ + bytes;
    advise_huge_pages(next_, bytes);
    slabs_.push_back(next_);
  }
  std::array<Node*, classes> free_{};
  std::byte* next_ = nullptr;  // what is left of the last slab
  std::byte* end_ = nullptr;
  std::int64_t outstanding_ = 0;  // frames taken and not given back, on this thread
  std::vector<std::byte*> slabs_;
};
thread_local Frames frames;

std::size_t rounded(std::size_t size) { return (size + grain - 1) / grain * grain; }

}  // namespace

void* FramePool::allocate(std::size_t size) {
  latest_size_ = size;
  size = rounded(size);
  return size <= classes * grain ? frames.take(size) : ::operator new(size);
}

void FramePool::release(void* frame, std::size_t size) noexcept {
  size = rounded(size);
  if (size > classes * grain) return ::operator delete(frame);
  frames.give_back(frame, size);
}

#endif

}  // namespace lagnet
