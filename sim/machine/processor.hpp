#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lagnet {

/// Bytes of a core's second-level cache, as the system says; 1 MiB where it does not. Use it to schedule work, never
/// where it could change a result.
std::int64_t second_level_cache();

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

/// What kernels for AVX-512 are compiled for. clang knows no width, and leaves out an attribute that names one.
#if defined(__clang__)
#define LAGNET_AVX512_TARGET "avx512f,avx512dq"
#else
#define LAGNET_AVX512_TARGET "avx512f,avx512dq,prefer-vector-width=512"
#endif

/// Which of the variants of some kernels this machine runs, the baseline first and the fastest last. Null stands for
/// one that was not compiled.
template <class Kernels>
std::vector<const Kernels*> runnable_variants(const Kernels& baseline, [[maybe_unused]] const Kernels* avx2,
                                              [[maybe_unused]] const Kernels* avx512) {
  std::vector<const Kernels*> runnable{&baseline};
#if defined(__x86_64__)
  if (avx2 && __builtin_cpu_supports("avx2")) runnable.push_back(avx2);
  if (avx512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) runnable.push_back(avx512);
#endif
  return runnable;
}

}  // namespace lagnet
