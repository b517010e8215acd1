#include "scenarios/sweep/point_schedule.hpp"

#include <algorithm>
#include <set>

#include "sim/base/errors.hpp"

namespace lagnet {

PointSchedule::PointSchedule(std::vector<MemoryNeed> needs, unsigned jobs, Bytes budget)
    : needs_(std::move(needs)), jobs_(jobs), budget_(budget) {
  LAGNET_CHECK(jobs >= 1, "{} jobs", jobs);
  for (std::size_t point = 0; point < needs_.size(); ++point) waiting_.push_back({point});
}

std::optional<std::size_t> PointSchedule::start() {
  if (running_.size() == jobs_) return std::nullopt;
  const auto stands_in_the_way = [&](const Waiting& one) { return fits(one.point) || one.overtaken == patience; };
  const auto next = std::ranges::find_if(waiting_, stands_in_the_way);
  if (next == waiting_.end() || !fits(next->point)) return std::nullopt;
  for (auto passed = waiting_.begin(); passed != next; ++passed) ++passed->overtaken;
  const std::size_t point = next->point;
  waiting_.erase(next);
  running_.push_back(point);
  return point;
}

void PointSchedule::finish(std::size_t point) {
  LAGNET_CHECK(std::erase(running_, point) == 1, "point {} ends and did not run", point);
}

void PointSchedule::drop_behind(std::size_t point) {
  std::erase_if(waiting_, [&](const Waiting& one) { return one.point > point; });
}

Bytes PointSchedule::used() const {
  Bytes sum = 0;
  std::set<std::size_t> things;
  for (const std::size_t point : running_) {
    const MemoryNeed& need = needs_[point];
    sum += need.own;
    if (things.insert(need.shared_thing).second) sum += need.shared;
  }
  return sum;
}

bool PointSchedule::is_shared_already(std::size_t thing) const {
  return std::ranges::any_of(running_, [&](std::size_t point) { return needs_[point].shared_thing == thing; });
}

bool PointSchedule::fits(std::size_t point) const {
  if (running_.empty()) return true;
  const MemoryNeed& need = needs_[point];
  const Bytes more = need.own + (is_shared_already(need.shared_thing) ? 0 : need.shared);
  return more <= budget_ - used();
}

}  // namespace lagnet
