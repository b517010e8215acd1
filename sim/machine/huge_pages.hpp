#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace lagnet {

/// Bytes of a large page, as x86-64 and others have them.
constexpr std::size_t huge_page = std::size_t{1} << 21;

/// Asks the system for large pages where whole ones fit into this memory, to which nothing has been written yet. A
/// world that uses 300 MB here and there would otherwise spend a third of its time on finding the addresses of pages.
/// Results do not depend on it, and it does nothing where the system offers no large pages.
void advise_huge_pages(void* memory, std::size_t bytes) noexcept;

/// The same for memory that has been written to, which is moved for it.
void move_to_huge_pages(void* memory, std::size_t bytes) noexcept;

template <class T>
struct HugePageAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = HugePageAllocator<U>;
  };
  T* allocate(std::size_t count) {
    T* const memory = std::allocator<T>::allocate(count);
    advise_huge_pages(memory, count * sizeof(T));
    return memory;
  }
};

/// A vector in large pages, for instance with one entry for each agent or link.
template <class T>
using HugePageVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace lagnet
