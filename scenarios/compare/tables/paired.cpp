#include "scenarios/compare/tables/paired.hpp"

#include <algorithm>
#include <cmath>

#include "scenarios/compare/tables/curve.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

MeanInterval bootstrap_mean(const std::vector<double>& values, const BootstrapOptions& options) {
  constexpr Purpose bootstrap{"bootstrap"};
  MeanInterval interval{.count = values.size()};
  if (values.empty()) return interval;
  const auto count = static_cast<double>(values.size());
  double total = 0;
  for (const double value : values) total += value;
  interval.mean = total / count;
  if (values.size() < 2) return interval;
  std::vector<double> means;
  means.reserve(options.resamples);
  for (std::size_t b = 0; b < options.resamples; ++b) {
    Draws draws(options.seed, bootstrap, 0, static_cast<Round>(b));
    double sum = 0;
    for (std::size_t k = 0; k < values.size(); ++k) sum += values[draws.below(values.size())];
    means.push_back(sum / count);
  }
  std::ranges::sort(means);
  interval.low = quantile(means, (1 - options.confidence) / 2);
  interval.high = quantile(means, (1 + options.confidence) / 2);
  return interval;
}

MeanInterval bootstrap_ratio(const std::vector<double>& ratios, const BootstrapOptions& options) {
  std::vector<double> logarithms;
  for (const double ratio : ratios) logarithms.push_back(std::log(ratio));
  MeanInterval interval = bootstrap_mean(logarithms, options);
  for (auto* end : {&interval.mean, &interval.low, &interval.high})
    if (*end) *end = std::exp(**end);
  return interval;
}

std::vector<bool> on_pareto_front(const std::vector<CostPair>& points) {
  std::vector<bool> on_front;
  for (const CostPair& point : points)
    on_front.push_back(std::ranges::none_of(points, [&](const CostPair& other) {
      return other.first <= point.first && other.second <= point.second &&
             (other.first < point.first || other.second < point.second);
    }));
  return on_front;
}

}  // namespace lagnet
