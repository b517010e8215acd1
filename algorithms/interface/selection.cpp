#include "algorithms/interface/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lagnet {

namespace {

/// The value at that place of those in ascending order.
double sorted_at(std::vector<double> values, double place) {
  std::ranges::sort(values);
  return values[std::min(static_cast<std::size_t>(place), values.size() - 1)];
}

}  // namespace

std::vector<std::size_t> drawn_by_weight(std::vector<double> weights, std::size_t picked, const Uniforms& u) {
  std::vector<std::size_t> places, left(weights.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (places.size() < picked && !left.empty()) {
    double all = 0;
    for (const std::size_t k : left) all += weights[k];
    const double target = u() * all;
    double sum = 0;
    // Of weights that are all 0, or for a sum that rounds, the last one.
    std::size_t chosen = left.size() - 1;
    for (std::size_t i = 0; i < left.size(); ++i) {
      sum += weights[left[i]];
      if (sum > target) {
        chosen = i;
        break;
      }
    }
    places.push_back(left[chosen]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  std::ranges::sort(places);
  return places;
}

OortChoice oort_choice(const OortOptions& options, Round round, std::span<const OortRecord> known,
                       const Unexplored& unexplored, const Uniforms& u) {
  OortChoice choice;
  const std::size_t n = known.size(), size = static_cast<std::size_t>(options.size);
  const auto R = static_cast<double>(round);
  if (n > 0) {
    std::vector<double> U, t;
    for (const OortRecord& k : known) U.push_back(k.utility), t.push_back(k.duration_s);
    const double low = 0.999 * std::ranges::min(U), range = std::max(std::ranges::max(U) - low, 1e-4);
    const double cap = sorted_at(U, std::floor(options.clip * static_cast<double>(n)));
    choice.preferred_s = sorted_at(t, std::floor(options.percentile * static_cast<double>(n) / 100));
    for (const OortRecord& k : known) {
      double score =
          (std::min(k.utility, cap) - low) / range + std::sqrt(0.1 * std::log(R) / static_cast<double>(k.last));
      if (k.duration_s > choice.preferred_s) score *= std::pow(choice.preferred_s / k.duration_s, options.penalty);
      choice.scores.push_back(score);
    }
  }
  const std::size_t fresh = unexplored.agents.size();
  if (fresh > 0) choice.epsilon = std::max(options.explore * std::pow(options.decay, R - 1), options.least_explore);
  const auto wanted = static_cast<std::size_t>(std::floor(static_cast<double>(size) * (1 - choice.epsilon) + 1e-9));
  const std::size_t first = std::min(wanted, n), explore = std::min(size - first, fresh),
                    exploit = std::min(size - explore, n);
  if (exploit > 0) {
    std::vector<double> sorted = choice.scores, pool;
    std::ranges::sort(sorted, std::greater());
    std::vector<AgentId> members;
    for (std::size_t k = 0; k < n; ++k)
      if (choice.scores[k] >= options.cut * sorted[exploit - 1]) {
        members.push_back(known[k].agent);
        pool.push_back(choice.scores[k]);
      }
    for (const std::size_t k : drawn_by_weight(pool, exploit, u)) choice.exploited.push_back(members[k]);
  }
  for (const std::size_t k : drawn_by_weight(unexplored.speeds, explore, u))
    choice.explored.push_back(unexplored.agents[k]);
  return choice;
}

std::vector<std::vector<AgentId>> tiers_of(std::vector<std::pair<double, AgentId>> times, std::int64_t M) {
  std::ranges::sort(times);
  const auto m = static_cast<std::int64_t>(times.size());
  std::vector<std::vector<AgentId>> tiers;
  auto next = times.begin();
  for (std::int64_t a = 0; a < M; ++a) {
    std::vector<AgentId>& tier = tiers.emplace_back();
    for (std::int64_t k = 0; k < m / M + (a < m % M ? 1 : 0); ++k) tier.push_back((next++)->second);
    std::ranges::sort(tier);
  }
  return tiers;
}

}  // namespace lagnet
