#include "sim/world/participation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// fraction * count, made whole. The fraction and the product are each off by at most half a unit in the last place,
/// which must not make 8 of 7.000000000000001 = 0.07 * 100, nor 14 of 14.499999999999998 = 0.145 * 100.
std::size_t share_of(double fraction, std::size_t count, WholeClients rounding) {
  constexpr double slack = 2 * std::numeric_limits<double>::epsilon();
  const double share = fraction * static_cast<double>(count);
  if (rounding == WholeClients::up) return static_cast<std::size_t>(std::ceil(share * (1 - slack)));
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::floor(share * (1 + slack) + 0.5)));
}

double checked_share(const char* what, double value) {
  if (value > 0 && value <= 1) return value;
  throw std::invalid_argument(fmt::format("expected a {} above 0 and at most 1, found {}", what, value));
}

/// Which of `count` things that take turns has round r.
std::size_t turn(Round round, std::size_t count) {
  LAGNET_CHECK(round >= 1, "nobody is asked in round {}", round);
  return static_cast<std::size_t>(round - 1) % count;
}

}  // namespace

Cohort RoundRule::cohort(std::vector<AgentId> asked, Time now) const {
  Cohort cohort(std::move(asked));
  if (enough) cohort.enough = std::min(*enough, cohort.members.size());
  if (deadline) cohort.deadline = saturated(now, *deadline);
  return cohort;
}

std::vector<AgentId> FullParticipation::chosen(Round, std::span<const AgentId> candidates) const {
  return {candidates.begin(), candidates.end()};
}

RandomSubset RandomSubset::of_size(std::uint64_t seed, std::size_t size) {
  if (size == 0) throw std::invalid_argument("expected a size of at least 1, found 0");
  return {seed, size, 0, WholeClients::up};
}

RandomSubset RandomSubset::of_fraction(std::uint64_t seed, double fraction, WholeClients rounding) {
  return {seed, 0, checked_share("fraction", fraction), rounding};
}

std::optional<std::size_t> RandomSubset::asked_each_round(std::size_t candidates) const {
  return std::min(size_ > 0 ? size_ : share_of(fraction_, candidates, rounding_), candidates);
}

std::vector<AgentId> RandomSubset::chosen(Round round, std::span<const AgentId> candidates) const {
  const std::size_t size = *asked_each_round(candidates.size());
  std::vector<AgentId> order(candidates.begin(), candidates.end());
  Draws draws(seed_, Purpose{"cohort"}, 0, round);
  for (std::size_t i = 0; i < size; ++i) std::swap(order[i], order[i + draws.below(order.size() - i)]);
  order.resize(size);
  std::ranges::sort(order);
  return order;
}

std::vector<Diagnostic> RandomSubset::diagnostics(std::span<const AgentId> candidates) const {
  if (size_ <= candidates.size()) return {};
  return {{"size", fmt::format("at most {}, the number of candidates", candidates.size()), fmt::format("{}", size_)}};
}

IndependentParticipation::IndependentParticipation(std::uint64_t seed, double probability, bool nobody_allowed)
    : seed_(seed), probability_(checked_share("probability", probability)), nobody_allowed_(nobody_allowed) {}

std::vector<AgentId> IndependentParticipation::chosen(Round round, std::span<const AgentId> candidates) const {
  std::vector<AgentId> members;
  AgentId first = 0;
  double smallest = 1;
  for (const AgentId agent : candidates) {
    const double drawn = Draws(seed_, Purpose{"takes_part"}, agent, round).uniform();
    if (drawn < probability_) members.push_back(agent);
    if (drawn < smallest) {
      smallest = drawn;
      first = agent;
    }
  }
  if (members.empty() && !candidates.empty() && !nobody_allowed_) members.push_back(first);
  return members;
}

std::vector<AgentId> ServersChoice::chosen(Round, std::span<const AgentId> candidates) const {
  return {candidates.begin(), candidates.end()};
}

std::vector<Diagnostic> ServersChoice::diagnostics(std::span<const AgentId> candidates) const {
  std::vector<Diagnostic> found;
  for (const auto& [key, number] : needs_)
    if (number > std::ssize(candidates))
      found.push_back(
          {key, fmt::format("at most {}, the number of candidates", candidates.size()), fmt::format("{}", number)});
  return found;
}

CyclicParticipation::CyclicParticipation(std::size_t groups, ClientSets sets) : groups_(groups), sets_(sets) {
  if (groups == 0) throw std::invalid_argument("expected at least 1 group, found 0");
  if (groups < 2 && sets == ClientSets::contiguous)
    throw std::invalid_argument("expected at least 2 contiguous groups, found 1");
}

std::vector<AgentId> CyclicParticipation::chosen(Round round, std::span<const AgentId> candidates) const {
  const std::size_t set = turn(round, groups_);
  if (sets_ == ClientSets::contiguous) {
    LAGNET_CHECK(candidates.size() % groups_ == 0, "{} candidates in {} sets", candidates.size(), groups_);
    const std::size_t size = candidates.size() / groups_;
    const auto members = candidates.subspan(set * size, size);
    return {members.begin(), members.end()};
  }
  std::vector<AgentId> members;
  for (std::size_t i = set; i < candidates.size(); i += groups_) members.push_back(candidates[i]);
  return members;
}

std::vector<Diagnostic> CyclicParticipation::diagnostics(std::span<const AgentId> candidates) const {
  if (sets_ == ClientSets::contiguous && (candidates.empty() || candidates.size() % groups_ != 0))
    return {{"groups", fmt::format("a divisor of {}, the number of candidates, for contiguous sets", candidates.size()),
             fmt::format("{}", groups_)}};
  if (groups_ <= candidates.size()) return {};
  return {
      {"groups", fmt::format("at most {}, the number of candidates", candidates.size()), fmt::format("{}", groups_)}};
}

ListedParticipation::ListedParticipation(std::vector<std::vector<AgentId>> rounds) : rounds_(std::move(rounds)) {
  if (rounds_.empty()) throw std::invalid_argument("expected the list of at least one round, found none");
  for (std::vector<AgentId>& members : rounds_) {
    std::ranges::sort(members);
    if (members.empty() || std::ranges::adjacent_find(members) != members.end())
      throw std::invalid_argument(
          fmt::format("expected one agent or more, each once, found [{}]", fmt::join(members, ", ")));
  }
}

std::vector<AgentId> ListedParticipation::chosen(Round round, std::span<const AgentId> candidates) const {
  const std::vector<AgentId>& members = rounds_[turn(round, rounds_.size())];
  LAGNET_CHECK(std::ranges::includes(candidates, members), "an agent is listed that is no candidate");
  return members;
}

std::vector<Diagnostic> ListedParticipation::diagnostics(std::span<const AgentId> candidates) const {
  std::vector<Diagnostic> found;
  for (std::size_t place = 0; place < rounds_.size(); ++place)
    for (const AgentId agent : rounds_[place])
      if (!std::ranges::binary_search(candidates, agent))
        found.push_back({fmt::format("rounds/{}", place), "agents that can be asked", fmt::format("{}", agent)});
  return found;
}

}  // namespace lagnet
