#include "scenarios/estimate/makespan.hpp"

#include <set>
#include <utility>

namespace lagnet {

double makespan(const std::vector<double>& seconds, const std::vector<MemoryNeed>& needs, const MemoryBudget& budget) {
  PointSchedule schedule(needs, budget.jobs, budget.memory);
  std::set<std::pair<double, std::size_t>> ends;
  double now = 0;
  while (!schedule.done()) {
    if (const auto point = schedule.start()) {
      ends.emplace(now + seconds[*point], *point);
      continue;
    }
    const auto next = ends.extract(ends.begin()).value();
    now = next.first;
    schedule.finish(next.second);
  }
  return now;
}

}  // namespace lagnet
