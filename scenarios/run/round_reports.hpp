#pragma once

#include <span>
#include <vector>

#include "sim/base/array.hpp"
#include "sim/base/types.hpp"
#include "sim/machine/huge_pages.hpp"

namespace lagnet {

/// The reports of one round, in the order in which they came. With many agents, a vector for each report would be
/// scattered in memory: here a report is written behind the one before.
class RoundReports {
 public:
  template <class Part>
  void add(AgentId agent, std::span<const Part> parts) {
    shapes_.push_back(agent);
    shapes_.push_back(std::ssize(parts));
    for (const Part& part : parts) {
      shapes_.push_back(part.size());
      numbers_.insert(numbers_.end(), part.data(), part.data() + part.size());
    }
  }
  void clear();
  /// Writes each agent's last report to parts[agent]; what belongs to others stays.
  void copy_to(std::vector<std::vector<Vector>>& parts) const;

 private:
  HugePageVector<Index> shapes_;  // of each report: the agent, how many parts, the size of each
  HugePageVector<double> numbers_;
};

}  // namespace lagnet
