#include "sim/frame_pool.hpp"

#include <array>
#include <new>
#include <utility>

namespace lagnet {

#if defined(__SANITIZE_ADDRESS__)

void* FramePool::allocate(std::size_t size) { return ::operator new(size); }
void FramePool::release(void* frame, std::size_t) noexcept { ::operator delete(frame); }

#else

namespace {

constexpr std::size_t grain = 64;
constexpr std::size_t classes = 64;  // frames up to 4 KiB are recycled

struct FreeLists {
  struct Node {
    Node* next;
  };
  std::array<Node*, classes> head{};
  ~FreeLists() {
    for (Node* node : head)
      while (node) ::operator delete(std::exchange(node, node->next));
  }
};
thread_local FreeLists lists;

std::size_t size_class(std::size_t size) { return (size - 1) / grain; }

}  // namespace

void* FramePool::allocate(std::size_t size) {
  const std::size_t c = size_class(size);
  if (c < classes && lists.head[c]) {
    FreeLists::Node* node = lists.head[c];
    lists.head[c] = node->next;
    return node;
  }
  return ::operator new((c + 1) * grain);
}

void FramePool::release(void* frame, std::size_t size) noexcept {
  const std::size_t c = size_class(size);
  if (c >= classes) return ::operator delete(frame);
  lists.head[c] = new (frame) FreeLists::Node{lists.head[c]};
}

#endif

}  // namespace lagnet
