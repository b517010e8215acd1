#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define LAGNET_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LAGNET_POISONS 1
#endif
#endif

#ifdef LAGNET_POISONS
#include <sanitizer/asan_interface.h>
#endif

/// An allocator's reports to the address sanitizer, which ends the program at the first access to a poisoned byte.
/// Poison everything that is not handed out: free blocks, gaps between blocks, the rest of a slab. Without the
/// sanitizer these functions do nothing.
namespace lagnet {

#ifdef LAGNET_POISONS

constexpr bool poisons = true;
inline void poison(const void* memory, std::size_t bytes) noexcept { __asan_poison_memory_region(memory, bytes); }
inline void unpoison(const void* memory, std::size_t bytes) noexcept { __asan_unpoison_memory_region(memory, bytes); }
inline bool is_poisoned(const void* memory, std::size_t bytes = 1) noexcept {  // any of them
  return __asan_region_is_poisoned(const_cast<void*>(memory), bytes) != nullptr;
}

#else

constexpr bool poisons = false;
inline void poison(const void*, std::size_t) noexcept {}
inline void unpoison(const void*, std::size_t) noexcept {}
inline bool is_poisoned(const void*, std::size_t = 1) noexcept { return false; }

#endif

}  // namespace lagnet
