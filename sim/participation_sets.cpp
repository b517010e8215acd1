#include "sim/participation_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/draws.hpp"
#include "sim/errors.hpp"

namespace lagnet {

namespace {

double checked_share(const char* what, double value) {
  if (value > 0 && value <= 1) return value;
  throw std::invalid_argument(fmt::format("expected a {} above 0 and at most 1, found {}", what, value));
}

}  // namespace

NearestShare::NearestShare(std::uint64_t seed, double fraction)
    : seed_(seed), fraction_(checked_share("fraction", fraction)) {}

std::vector<AgentId> NearestShare::chosen(Round round, std::span<const AgentId> candidates) const {
  // A product that is a half in decimals may be a unit in the last place below it.
  constexpr double slack = 1e-12;
  const double nearest = std::floor(fraction_ * static_cast<double>(candidates.size()) * (1 + slack) + 0.5);
  const auto size = static_cast<std::size_t>(std::max(1.0, nearest));
  return RandomSubset::of_size(seed_, size).chosen(round, candidates);
}

ContiguousSets::ContiguousSets(std::size_t sets) : sets_(sets) {
  if (sets < 2) throw std::invalid_argument(fmt::format("expected at least 2 sets, found {}", sets));
}

std::vector<AgentId> ContiguousSets::chosen(Round round, std::span<const AgentId> candidates) const {
  LAGNET_CHECK(round >= 1 && candidates.size() % sets_ == 0, "{} candidates in {} sets in round {}", candidates.size(),
               sets_, round);
  const std::size_t size = candidates.size() / sets_, set = static_cast<std::size_t>(round - 1) % sets_;
  const auto members = candidates.subspan(set * size, size);
  return {members.begin(), members.end()};
}

std::vector<std::string> ContiguousSets::problems(std::span<const AgentId> candidates) const {
  if (!candidates.empty() && candidates.size() % sets_ == 0) return {};
  return {fmt::format("groups: expected a divisor of {}, the number of candidates, for contiguous sets, found {}",
                      candidates.size(), sets_)};
}

PossiblyNobody::PossiblyNobody(std::uint64_t seed, double probability)
    : seed_(seed), probability_(checked_share("probability", probability)) {}

std::vector<AgentId> PossiblyNobody::chosen(Round round, std::span<const AgentId> candidates) const {
  std::vector<AgentId> members;
  for (const AgentId agent : candidates)
    if (Draws(seed_, Purpose{"takes_part"}, agent, round).uniform() < probability_) members.push_back(agent);
  return members;
}

}  // namespace lagnet
