#include "sim/machine/frame_pool.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <set>
#include <vector>

namespace lagnet::frame_pool_test {

TEST_CASE("Frames of all sizes are writable as a whole and do not overlap") {
  std::vector<std::pair<unsigned char*, std::size_t>> frames;
  for (int turn = 0; turn < 2; ++turn) {  // the second turn takes what the first gave back
    for (std::size_t size = 1; size < 6000; size += 37) {
      auto* frame = static_cast<unsigned char*>(FramePool::allocate(size));
      std::memset(frame, static_cast<int>(size % 251), size);
      frames.emplace_back(frame, size);
    }
    for (const auto& [frame, size] : frames) {
      REQUIRE(frame[0] == size % 251);
      REQUIRE(frame[size - 1] == size % 251);
    }
    for (const auto& [frame, size] : frames) FramePool::release(frame, size);
    frames.clear();
  }
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("A frame that was given back is the next of its size") {
  void* const first = FramePool::allocate(300);
  FramePool::release(first, 300);
  void* const second = FramePool::allocate(293);  // of the same class: 289 .. 304 bytes
  CHECK(second == first);
  FramePool::release(second, 293);
}
#endif

}  // namespace lagnet::frame_pool_test
