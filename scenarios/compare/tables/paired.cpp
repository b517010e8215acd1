#include "scenarios/compare/tables/paired.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "scenarios/compare/tables/curve.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/series_names.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

void for_each_resample(std::size_t count, const BootstrapOptions& options,
                       const std::function<void(const std::vector<std::size_t>& places)>& visit) {
  constexpr Purpose bootstrap{"bootstrap"};
  std::vector<std::size_t> places(count);
  for (std::size_t b = 0; b < options.resamples; ++b) {
    Draws draws(options.seed, bootstrap, 0, static_cast<Round>(b));
    for (std::size_t& place : places) place = draws.below(count);
    visit(places);
  }
}

MeanInterval bootstrap_mean(const std::vector<double>& values, const BootstrapOptions& options) {
  MeanInterval interval{.count = values.size()};
  if (values.empty()) return interval;
  const auto count = static_cast<double>(values.size());
  double total = 0;
  for (const double value : values) total += value;
  interval.mean = total / count;
  if (values.size() < 2) return interval;
  std::vector<double> means;
  means.reserve(options.resamples);
  for_each_resample(values.size(), options, [&](const std::vector<std::size_t>& places) {
    double sum = 0;
    for (const std::size_t place : places) sum += values[place];
    means.push_back(sum / count);
  });
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

namespace {

/// Values of a series and of the baseline under one seed each.
struct SeedPairs {
  std::vector<double> differences, ratios;  // ratios only of positive values
  void add(double value, double of_baseline) {
    if (!std::isfinite(value - of_baseline)) return;
    differences.push_back(value - of_baseline);
    if (value > 0 && of_baseline > 0) ratios.push_back(value / of_baseline);
  }
};

void append_intervals(std::vector<ResultCell>& line, const SeedPairs& pairs, const BootstrapOptions& options) {
  const MeanInterval difference = bootstrap_mean(pairs.differences, options);
  const bool all_positive = pairs.ratios.size() == pairs.differences.size();
  const MeanInterval ratio = all_positive ? bootstrap_ratio(pairs.ratios, options) : MeanInterval();
  line.push_back(difference.count);
  for (const MeanInterval& interval : {difference, ratio})
    for (const auto& number : {interval.mean, interval.low, interval.high}) line.push_back(number);
}

/// The metric of both at the last value of the axis that all runs of common seeds reach; nothing where there is none.
std::pair<std::optional<double>, SeedPairs> pairs_at_common_end(const ComparedSeries& one,
                                                                const ComparedSeries& baseline) {
  double end = std::numeric_limits<double>::infinity();
  const auto places = common_seeds(one, baseline);
  for (const auto& [i, j] : places) end = std::min({end, one.curves[i].x.back(), baseline.curves[j].x.back()});
  SeedPairs pairs;
  for (const auto& [i, j] : places) {
    const auto value = carried_forward(one.curves[i], end), of_baseline = carried_forward(baseline.curves[j], end);
    if (value && of_baseline) pairs.add(*value, *of_baseline);
  }
  return {places.empty() ? std::nullopt : std::optional(end), std::move(pairs)};
}

/// The place of the series with this name.
std::size_t find_baseline(const std::vector<ComparedSeries>& measured, const std::string& name) {
  std::vector<std::string> names;
  for (const ComparedSeries& one : measured) names.push_back(one.name);
  const auto at = std::ranges::find(names, name);
  if (at == names.end())
    throw OutputError(fmt::format("baseline: expected one of the series {}, found {}{}", comma_list(names), name,
                                  did_you_mean(name, names)));
  return static_cast<std::size_t>(at - names.begin());
}

/// The series that are the same but for a value, each with the one that has it.
Baselines baselines_with(const KeyValue& value, const std::vector<RecordedRun>& runs,
                         const std::vector<ComparedSeries>& measured) {
  const auto first_run = [&](std::size_t i) -> const RecordedRun& { return *measured[i].runs.front().recorded; };
  std::vector<Json> others;
  for (std::size_t i = 0; i < measured.size(); ++i)
    others.push_back(circumstances_without(first_run(i), value.pointer, runs));
  Baselines found;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    found.of_series.emplace_back();
    for (std::size_t j = 0; j < measured.size(); ++j)
      if (i != j && others[i] == others[j] && has_value(first_run(j).scenario, value)) found.of_series[i] = j;
  }
  if (std::ranges::none_of(found.of_series, [](const auto& place) { return place.has_value(); }))
    throw OutputError(
        fmt::format("baseline: expected a series with {} = {} and one that is the same but for it, found "
                    "none",
                    value.pointer, value_text(value.value)));
  return found;
}

}  // namespace

Baselines baselines_of(const std::vector<RecordedRun>& runs, const std::vector<ComparedSeries>& measured,
                       const std::vector<DistinctValues>& keys, const CompareOptions& options) {
  const auto is_called = [&](const ComparedSeries& one) { return one.name == options.baseline; };
  const bool is_setting = options.baseline.find('=') != std::string::npos && std::ranges::none_of(measured, is_called);
  if (is_setting) {
    const KeyValue value = key_value(options.baseline, "baseline");
    if (std::ranges::any_of(runs, [&](const RecordedRun& run) { return has_value(run.scenario, value); }))
      return baselines_with(value, runs, measured);
  }
  const std::size_t base = options.baseline.empty() ? 0 : find_baseline(measured, options.baseline);
  Baselines found;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    found.of_series.emplace_back();
    if (i == base) continue;
    if (options.baseline.empty() && ways_to_differ(keys[i], keys[base]) > 1)
      ++found.left_out;
    else
      found.of_series[i] = base;
  }
  return found;
}

TablePair paired_table(const std::vector<ComparedSeries>& measured, const Baselines& baselines,
                       const CompareOptions& options) {
  std::set<std::string> names;
  for (const auto& place : baselines.of_series)
    if (place) names.insert(measured[*place].name);
  ResultTable table{
      "paired",
      fmt::format(
          "difference to {} over common seeds: mean with {:g}% bootstrap interval, and ratio of geometric means",
          names.size() == 1 ? *names.begin() : "the baseline of each series", 100 * options.bootstrap.confidence)};
  table.keys = 4;
  table.columns = {"series",
                   "baseline",
                   "quantity",
                   "to",
                   {"at", "at " + options.against},
                   "pairs",
                   "difference",
                   "low",
                   "high",
                   "ratio",
                   {"ratio_low", "low"},
                   {"ratio_high", "high"}};
  if (baselines.left_out > 0)
    table.title +=
        fmt::format("; {} series that differ from it in more than one swept key are left out", baselines.left_out);
  for (std::size_t s = 0; s < measured.size(); ++s) {
    if (!baselines.of_series[s]) continue;
    const ComparedSeries &one = measured[s], &base = measured[*baselines.of_series[s]];
    const auto [end, at_end] = pairs_at_common_end(one, base);
    std::vector<ResultCell> line{one.name, base.name, options.metric, ResultCell(), end};
    append_intervals(line, at_end, options.bootstrap);
    table.rows.push_back(std::move(line));
    for (const double level : options.to) {
      SeedPairs pairs;
      for (const auto& [i, j] : common_seeds(one, base)) {
        const auto cost = one.runs[i].paid(options.against, level);
        const auto of_base = base.runs[j].paid(options.against, level);
        if (cost && of_base) pairs.add(*cost, *of_base);
      }
      line = {one.name, base.name, options.against, level, ResultCell()};
      append_intervals(line, pairs, options.bootstrap);
      table.rows.push_back(std::move(line));
    }
  }
  // People are not shown rows of levels that no pair of runs reached.
  TablePair both = same_for_both(std::move(table));
  const auto pairs = std::ranges::find(both.shown.columns, "pairs", &TableColumn::key) - both.shown.columns.begin();
  std::erase_if(both.shown.rows, [pairs](const auto& row) { return row[pairs].count == 0; });
  return both;
}

}  // namespace lagnet
