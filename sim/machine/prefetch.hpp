#pragma once

#include <cstddef>

namespace lagnet {

constexpr std::size_t cache_line = 64;  // bytes

/// Fetches the cache line at an address ahead of its use. It changes no result.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  // g++ takes a function that only prefetches for one without effect, and may remove calls of it. The empty statement
  // is an effect: without it bench_engine takes 50 % more time for ring_hops with 100,000 agents.
  asm volatile("");
}

inline void prefetch(const void* from, std::size_t bytes) {
  for (std::size_t k = 0; k < bytes; k += cache_line) prefetch(static_cast<const char*>(from) + k);
}

}  // namespace lagnet
