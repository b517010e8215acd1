#pragma once

#include <algorithm>
#include <vector>

#include "sim/base/types.hpp"

namespace lagnet {

/// Keeps the messages of each link in the order in which they set out: none comes before those before it.
class LinkOrder {
 public:
  LinkOrder() = default;  // keeps no order
  explicit LinkOrder(LinkId links) : latest_(links) {}

  bool is_kept() const { return !latest_.empty(); }
  /// When the next message of a link comes that would come at `at` without others.
  Time come(LinkId link, Time at) {
    if (!is_kept()) return at;
    return latest_[link] = std::max(latest_[link], at);
  }

 private:
  std::vector<Time> latest_;
};

}  // namespace lagnet
