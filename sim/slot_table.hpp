#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace lagnet {

/// Objects that are known by small numbers and stay where they are. Those that are given back are taken again, the last
/// one first, with whatever they hold but for their member `next`, which then leads to the one given back before.
template <class T>
class SlotTable {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t take() {
    if (free_ != none) {
      const std::uint32_t slot = free_;
      free_ = (*this)[slot].next;
      return slot;
    }
    if (made_ == pages_.size() * page_size) pages_.push_back(std::make_unique<T[]>(page_size));
    return made_++;
  }
  void give_back(std::uint32_t slot) {
    (*this)[slot].next = free_;
    free_ = slot;
  }
  T& operator[](std::uint32_t slot) { return pages_[slot / page_size][slot % page_size]; }
  const T& operator[](std::uint32_t slot) const { return pages_[slot / page_size][slot % page_size]; }

 private:
  static constexpr std::uint32_t page_size = 512;
  std::vector<std::unique_ptr<T[]>> pages_;
  std::uint32_t free_ = none;
  std::uint32_t made_ = 0;
};

}  // namespace lagnet
