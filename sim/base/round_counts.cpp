#include "sim/base/round_counts.hpp"

#include <algorithm>

namespace lagnet {

std::optional<std::size_t> RoundCounts::entries() const {
  const auto* lists = std::get_if<Lists>(&given_);
  return lists ? std::optional(lists->size()) : std::nullopt;
}

std::int64_t RoundCounts::most(std::size_t agent) const {
  if (const auto* drawn = std::get_if<DrawnCounts>(&given_)) return drawn->range().high;
  const auto* lists = std::get_if<Lists>(&given_);
  return lists ? std::ranges::max(lists->at(agent)) : std::get<std::int64_t>(given_);
}

std::int64_t RoundCounts::listed(std::size_t agent, Round round) const {
  const auto* lists = std::get_if<Lists>(&given_);
  if (!lists) return std::get<std::int64_t>(given_);
  const std::vector<std::int64_t>& of_agent = lists->at(agent);
  return of_agent[static_cast<std::size_t>(round - 1) % of_agent.size()];
}

}  // namespace lagnet
