#pragma once

#include <cstdint>
#include <vector>

#include "sim/world/network.hpp"

namespace lagnet {

/// Lists of links, known by numbers: of broadcasts that reach some links at one time, others later.
class LinkLists {
 public:
  /// An empty one.
  std::uint32_t take() {
    if (free_.empty()) {
      lists_.emplace_back();
      return static_cast<std::uint32_t>(lists_.size() - 1);
    }
    const std::uint32_t list = free_.back();
    free_.pop_back();
    return list;
  }
  void give_back(std::uint32_t list) {
    lists_[list].clear();
    free_.push_back(list);
  }
  std::vector<LinkId>& operator[](std::uint32_t list) { return lists_[list]; }

 private:
  std::vector<std::vector<LinkId>> lists_;
  std::vector<std::uint32_t> free_;
};

}  // namespace lagnet
