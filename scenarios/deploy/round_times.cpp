#include "scenarios/deploy/round_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

namespace {

/// The smallest number that is at least as large as a share of all: the nearest-rank quantile, share in (0, 1].
double nearest_rank(std::vector<double> numbers, double share) {
  std::ranges::sort(numbers);
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(numbers.size())));
  return numbers[std::max<std::size_t>(rank, 1) - 1];
}

bool are_same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// The places of rounds that both runs have recorded, ascending.
std::vector<std::pair<std::size_t, std::size_t>> common_rounds(const RecordedRun& real, const RecordedRun& simulated) {
  std::map<double, std::size_t> places;
  const auto& rounds = recorded_column(simulated, "round");
  for (std::size_t k = 0; k < rounds.size(); ++k) places[rounds[k]] = k;
  std::vector<std::pair<std::size_t, std::size_t>> common;
  const auto& real_rounds = recorded_column(real, "round");
  for (std::size_t k = 0; k < real_rounds.size(); ++k)
    if (const auto found = places.find(real_rounds[k]); found != places.end()) common.emplace_back(k, found->second);
  return common;
}

}  // namespace

RoundTimes compare_round_times(const RecordedRun& real, const RecordedRun& simulated) {
  const auto common = common_rounds(real, simulated);
  if (common.size() < 2)
    throw OutputError(fmt::format("{} and {}: expected two recorded rounds or more in common, found {}",
                                  real.folder.string(), simulated.folder.string(), common.size()));
  const auto& rounds = recorded_column(real, "round");
  const auto& real_s = recorded_column(real, "simulated_s");
  const auto& simulated_s = recorded_column(simulated, "simulated_s");
  std::vector<double> of_real, of_simulated, errors;
  for (std::size_t k = 1; k < common.size(); ++k) {
    const auto [a, b] = common[k - 1];
    const auto [c, d] = common[k];
    const double count = rounds[c] - rounds[a];
    of_real.push_back((real_s[c] - real_s[a]) / count);
    of_simulated.push_back((simulated_s[d] - simulated_s[b]) / count);
    if (!(of_simulated.back() > 0))
      throw OutputError(fmt::format("{}: round {} takes no time", simulated.folder.string(), rounds[c]));
    errors.push_back(std::abs(of_real.back() - of_simulated.back()) / of_simulated.back());
  }
  RoundTimes times{.rounds = common.size() - 1};
  times.real_s = nearest_rank(of_real, 0.5);
  times.simulated_s = nearest_rank(of_simulated, 0.5);
  times.error_median = nearest_rank(errors, 0.5);
  times.error_p95 = nearest_rank(errors, 0.95);
  const auto& real_values = recorded_column(real, "objective");
  const auto& simulated_values = recorded_column(simulated, "objective");
  for (const auto& [k, l] : common) times.same_values &= are_same_bits(real_values[k], simulated_values[l]);
  return times;
}

}  // namespace lagnet
