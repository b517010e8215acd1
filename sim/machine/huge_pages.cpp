#include "sim/machine/huge_pages.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace lagnet {

#if defined(__linux__)

namespace {

// The answer does not matter: without large pages all goes on as before.
void advise(void* memory, std::size_t bytes, int advice) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t end = (begin + bytes) / huge_page * huge_page;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, advice);
}

}  // namespace

void advise_huge_pages(void* memory, std::size_t bytes) noexcept { advise(memory, bytes, MADV_HUGEPAGE); }

void move_to_huge_pages(void* memory, std::size_t bytes) noexcept {
  constexpr int collapse = 25;  // MADV_COLLAPSE, since Linux 6.1, which older headers do not name
  advise(memory, bytes, collapse);
}

#else

void advise_huge_pages(void*, std::size_t) noexcept {}
void move_to_huge_pages(void*, std::size_t) noexcept {}

#endif

}  // namespace lagnet
