#include "scenarios/compare/tables/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lagnet {

namespace {

std::optional<double> if_finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

bool is_finite(double value) { return std::isfinite(value); }

double median_of(const std::vector<double>& values) { return spread_of(values).median; }

LevelCost level_cost(const ComparedSeries& series, std::size_t place, const LevelVerdict& asked) {
  std::vector<double> all, before, touched, there;
  for (const ComparedRun& run : series.runs) {
    const CostOfRun cost = run.cost(asked.currency, asked.to);
    all.push_back(cost.there);
    before.push_back(cost.before);
    touched.push_back(cost.touched);
    if (std::isfinite(cost.there)) there.push_back(cost.there);
  }
  LevelCost made{.series = place,
                 .median = if_finite(median_of(all)),
                 .min = {},
                 .max = {},
                 .before = if_finite(median_of(before)),
                 .touched = if_finite(median_of(touched)),
                 .reached_by = there.size(),
                 .touched_by = static_cast<std::size_t>(std::ranges::count_if(touched, is_finite)),
                 .runs = all.size()};
  if (there.empty()) return made;
  made.min = std::ranges::min(there);
  made.max = std::ranges::max(there);
  return made;
}

/// The ratio of two costs; if both are infinite or both are zero, neither is ahead.
double ratio_of(double first, double second) { return first == second ? 1 : second / first; }

/// Whether one is ahead: by its median, and beyond doubt where there is an interval.
bool is_decided(double first, double second, const MeanInterval& ratio) {
  return second > least_lead * first && (!ratio.low || ratio.low > least_lead);
}

}  // namespace

MeanInterval ratio_of_costs(const CostsOfSeeds& costs, const BootstrapOptions& options) {
  const std::size_t count = costs.first.size();
  if (count == 0) return {};
  MeanInterval interval{.count = count,
                        .mean = if_finite(ratio_of(median_of(costs.first), median_of(costs.second))),
                        .low = {},
                        .high = {}};
  if (count < 2) return interval;
  std::vector<double> ratios;
  for_each_resample(count, options, [&](const std::vector<std::size_t>& places) {
    std::vector<double> first, second;
    for (const std::size_t place : places) {
      first.push_back(costs.first[place]);
      second.push_back(costs.second[place]);
    }
    ratios.push_back(ratio_of(median_of(first), median_of(second)));
  });
  std::ranges::sort(ratios);
  interval.low = quantile(ratios, (1 - options.confidence) / 2);
  interval.high = quantile(ratios, (1 + options.confidence) / 2);
  return interval;
}

LevelVerdict verdict_on_level(const std::vector<ComparedSeries>& measured, double to, const std::string& currency,
                              const CompareOptions& options) {
  LevelVerdict verdict;
  verdict.to = to;
  verdict.currency = currency;
  for (std::size_t i = 0; i < measured.size(); ++i) verdict.costs.push_back(level_cost(measured[i], i, verdict));
  std::vector<LevelCost> known = verdict.costs;
  std::erase_if(known, [](const LevelCost& cost) { return !cost.median; });
  std::ranges::stable_sort(known, {}, [](const LevelCost& cost) { return *cost.median; });
  if (known.empty()) return verdict;
  verdict.leader = known[0].series;
  if (known.size() == 1) {
    // Alone: all others are infinite.
    if (measured.size() > 1) verdict.winner = verdict.leader;
    return verdict;
  }
  verdict.next = known[1].series;
  const ComparedSeries& first = measured[*verdict.leader];
  for (std::size_t k = 1; k < known.size(); ++k) {
    const ComparedSeries& other = measured[known[k].series];
    const CostsOfSeeds costs = costs_of_seeds(first, other, to, currency);
    MeanInterval ratio = ratio_of_costs(costs, options.bootstrap);
    ratio.mean = if_finite(ratio_of(*known[0].median, *known[k].median));  // not of the common seeds alone
    if (k == 1) verdict.ratio = ratio;
    const bool is_ahead = is_decided(*known[0].median, *known[k].median, ratio);
    const bool is_within_row = known[k].before < known[0].median;
    if (is_ahead && is_within_row && !verdict.within_row) verdict.within_row = known[k].series;
    if (is_ahead && !is_within_row) {
      verdict.behind = known[k].series;
      verdict.ratio_behind = ratio;
      break;
    }
    if (verdict.tied.empty()) verdict.tied.push_back(*verdict.leader);
    verdict.tied.push_back(known[k].series);
  }
  if (verdict.tied.empty()) verdict.winner = verdict.leader;
  return verdict;
}

std::vector<const LevelVerdict*> ComparisonVerdict::in(std::string_view currency) const {
  std::vector<const LevelVerdict*> found;
  for (const LevelVerdict& row : rows)
    if (row.currency == currency) found.push_back(&row);
  return found;
}

ComparisonVerdict verdict_on_levels(const std::vector<ComparedSeries>& measured, const CompareOptions& options) {
  ComparisonVerdict verdict;
  std::vector<std::string> currencies{"simulated_s", "bytes"};
  if (have_column(measured, "price")) currencies.emplace_back("price");
  for (const double to : options.to)
    for (const std::string& currency : currencies)
      verdict.rows.push_back(verdict_on_level(measured, to, currency, options));
  put_into_words(verdict, measured, options);
  return verdict;
}

TablePair verdict_table(const ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured,
                        const CompareOptions& options) {
  ResultTable table{"verdict", fmt::format("who gets to a level of {} for the least, and how many times more the next "
                                           "one pays, with {:g}% bootstrap interval over common seeds",
                                           options.metric, 100 * options.bootstrap.confidence)};
  table.columns = {"to", "currency", "winner", "leader", "median", "next", "ratio", "low", "high"};
  for (const LevelVerdict& row : verdict.rows) {
    const auto name = [&](const std::optional<std::size_t>& place) {
      return place ? ResultCell(measured[*place].name) : ResultCell();
    };
    table.rows.push_back({row.to, row.currency, name(row.winner), name(row.leader),
                          row.leader ? ResultCell(row.costs[*row.leader].median) : ResultCell(), name(row.next),
                          row.ratio.mean, row.ratio.low, row.ratio.high});
  }
  return same_for_both(std::move(table));
}

}  // namespace lagnet
