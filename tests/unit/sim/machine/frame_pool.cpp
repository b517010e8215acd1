#include "sim/machine/frame_pool.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <set>
#include <vector>

#include "sim/machine/poison.hpp"

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

TEST_CASE("Thousands of frames of each size keep every byte") {
  for (std::size_t size = 1; size <= 4200; size += size < 300 ? 1 : 131) {
    std::vector<unsigned char*> frames;
    for (std::size_t k = 0; k < 1100; ++k) {
      frames.push_back(static_cast<unsigned char*>(FramePool::allocate(size)));
      std::memset(frames.back(), static_cast<int>(k % 251), size);
    }
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < frames.size(); ++k)
      wrong += static_cast<std::size_t>(std::count(frames[k], frames[k] + size, k % 251)) != size;
    CHECK(wrong == 0);
    for (unsigned char* frame : frames) FramePool::release(frame, size);
  }
}

#ifdef LAGNET_POISONS

TEST_CASE("The byte after a frame, and a frame that was given back, are poisoned") {
  for (std::size_t size = 1; size < 5000; size += 13) {
    auto* const frame = static_cast<unsigned char*>(FramePool::allocate(size));
    CHECK_FALSE(is_poisoned(frame + size - 1));
    CHECK(is_poisoned(frame + size));
    FramePool::release(frame, size);
    CHECK(is_poisoned(frame));
  }
}

#else

TEST_CASE("A frame that was given back is the next of its size") {
  void* const first = FramePool::allocate(300);
  FramePool::release(first, 300);
  void* const second = FramePool::allocate(293);  // of the same class: 289 .. 304 bytes
  CHECK(second == first);
  FramePool::release(second, 293);
}
#endif

}  // namespace lagnet::frame_pool_test
