#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lagnet {

/// How often each of some ages occurred. Adding one takes the time of writing it down: ages are sorted and counted when
/// as many have come as there are counts.
class AgeCounts {
 public:
  void add(std::int64_t age) {
    recent_.push_back(age);
    if (recent_.size() >= fewest_recent + 2 * counts_.size()) merge();
  }
  bool empty() const { return counts_.empty() && recent_.empty(); }
  void add_to(std::map<std::int64_t, std::int64_t>& all) const {
    for (const auto& [age, count] : counts_) all[age] += count;
    for (const std::int64_t age : recent_) ++all[age];
  }

 private:
  static constexpr std::size_t fewest_recent = 16;

  [[gnu::noinline]] void merge() {
    std::ranges::sort(recent_);
    std::vector<std::pair<std::int64_t, std::int64_t>> merged;
    merged.reserve(counts_.size() + recent_.size());
    auto counted = counts_.begin();
    for (const std::int64_t age : recent_) {
      while (counted != counts_.end() && counted->first <= age) merged.push_back(*counted++);
      if (merged.empty() || merged.back().first != age) merged.emplace_back(age, 0);
      ++merged.back().second;
    }
    merged.insert(merged.end(), counted, counts_.end());
    counts_ = std::move(merged);
    recent_.clear();
  }

  std::vector<std::pair<std::int64_t, std::int64_t>> counts_;  // ascending by age
  std::vector<std::int64_t> recent_;                           // as they came
};

}  // namespace lagnet
