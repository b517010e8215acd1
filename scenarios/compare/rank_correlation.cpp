#include "scenarios/compare/rank_correlation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/files/result_folder.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// Twice the rank of each number less its mean: how many are smaller, less how many are larger.
std::vector<double> centered_ranks(const std::vector<double>& numbers) {
  std::vector<double> sorted = numbers;
  std::ranges::sort(sorted);
  std::vector<double> ranks;
  for (const double x : numbers) {
    const auto [first, last] = std::ranges::equal_range(sorted, x);
    ranks.push_back(static_cast<double>((first - sorted.begin()) - (sorted.end() - last)));
  }
  return ranks;
}

}  // namespace

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  LAGNET_CHECK(a.size() == b.size() && a.size() > 1, "ranks of {} and {} numbers", a.size(), b.size());
  const std::vector<double> p = centered_ranks(a), q = centered_ranks(b);
  double pp = 0, qq = 0, pq = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    pp += p[i] * p[i];
    qq += q[i] * q[i];
    pq += p[i] * q[i];
  }
  return pq / std::sqrt(pp * qq);
}

Finding has_rank_correlation(const RankCorrelationClaim& claim, const Evidence& evidence) {
  if (evidence.runs.size() < 3)
    throw OutputError(fmt::format("expected three runs or more to rank, found {}", evidence.runs.size()));
  MeasureOptions other = evidence.measure;
  other.metric = claim.to_metric;
  std::vector<double> a, b;
  for (const RecordedRun* run : evidence.runs) {
    a.push_back(measured({run}, with_levels(evidence.measure, evidence.all)));
    b.push_back(measured({run}, with_levels(other, evidence.all)));
  }
  const double correlation = rank_correlation(a, b);
  return {.holds = claim.bounds.contain(correlation),
          .measured = fmt::format("{:.3f} over {} runs", correlation, a.size()),
          .tolerance = claim.bounds.words(),
          .deciding = correlation,
          .called = "rank correlation",
          .slack = claim.bounds.slack(correlation)};
}

}  // namespace lagnet
