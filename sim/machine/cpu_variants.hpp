#pragma once

#include <vector>

/// What kernels for AVX-512 are compiled for. clang knows no width, and leaves out an attribute that names one.
#if defined(__clang__)
#define LAGNET_AVX512_TARGET "avx512f,avx512dq"
#else
#define LAGNET_AVX512_TARGET "avx512f,avx512dq,prefer-vector-width=512"
#endif

namespace lagnet {

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
