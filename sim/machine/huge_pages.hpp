#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace lagnet {

/// Bytes of a large page, as x86-64 and others have them.
constexpr std::size_t huge_page = std::size_t{1} << 21;

/// Asks the system for large pages where whole ones lie within this memory, which nothing has been written to yet:
/// where 300 MB are used here and there, a third of the time goes into finding the pages' addresses. Numbers do not
/// depend on it, and it does nothing where the system offers none.
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

/// One entry for each agent or link, say.
template <class T>
using HugePageVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace lagnet
