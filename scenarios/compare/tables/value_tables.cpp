#include "scenarios/compare/tables/value_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/compare/tables/cost_tables.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/format/result_columns.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/swept_columns.hpp"
#include "scenarios/words/words.hpp"

namespace lagnet {

namespace {

/// Every x of any curve at which some series has values of all of its runs, ascending.
std::vector<double> known_x(const std::vector<ComparedSeries>& measured) {
  std::vector<Curve> all;
  for (const ComparedSeries& one : measured) all.insert(all.end(), one.curves.begin(), one.curves.end());
  std::vector<double> values = union_of_x(all);
  std::erase_if(values, [&](double x) {
    return std::ranges::none_of(measured,
                                [x](const ComparedSeries& one) { return values_of_all(one.curves, x).has_value(); });
  });
  return values;
}

}  // namespace

TablePair series_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options) {
  ResultTable table{"series",
                    fmt::format("series: runs that differ only in their seeds; the last {} of each", options.metric)};
  const double worst = std::numeric_limits<double>::infinity() * (options.rising ? -1 : 1);
  bool any_without_number = false;
  table.columns = {"series", "runs", "seeds", {"ended_by", "ended by"}, "median", "min", "max"};
  for (const ComparedSeries& series : measured) {
    std::vector<std::string> seeds, reasons;
    std::map<std::string, int> endings;
    std::vector<double> last;
    for (std::size_t r = 0; r < series.runs.size(); ++r) {
      const ComparedRun& run = series.runs[r];
      seeds.push_back(std::to_string(run.seed));
      ++endings[run.ended_by];
      // The curve leaves out what is no number.
      const bool without_number = run.status == "diverged" && std::isnan(*run.last(options.metric));
      any_without_number = any_without_number || without_number;
      last.push_back(without_number ? worst : series.curves[r].y.back());
    }
    for (const auto& [reason, count] : endings)
      reasons.push_back(endings.size() == 1 ? reason : fmt::format("{} {}", reason, count));
    const Spread spread = spread_of(last);
    table.rows.push_back({series.name, series.runs.size(), boost::join(seeds, " "), boost::join(reasons, ", "),
                          spread.median, spread.min, spread.max});
  }
  if (any_without_number) table.title += fmt::format(", {} for runs that diverged to no number", worst);
  return same_for_both(std::move(table));
}

TablePair curves_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options) {
  const std::string title = fmt::format(
      "{} over {}: last recorded value, median of all runs; a run that reached its tolerance keeps its value, any "
      "other end of a run ends the curve",
      options.metric, heading_of(options.against));
  ResultTable shown{"curves", title}, tidy{"curves", title};
  shown.columns = {{options.against, heading_of(options.against)}};
  for (const ComparedSeries& one : measured) shown.columns.push_back(one.name);
  tidy.columns = {{options.against, heading_of(options.against)},
                  "series",
                  {"reached_by", "reached by"},
                  "runs",
                  "mean",
                  "median",
                  "min",
                  "max"};
  for (const double x : spread_out(known_x(measured), options.points)) {
    std::vector<ResultCell> line{x};
    for (const auto& [name, runs, curves] : measured) {
      const std::optional<std::vector<double>> values = values_of_all(curves, x);
      const Spread spread = spread_of(values.value_or(std::vector<double>()));
      line.push_back(values ? std::optional(spread.median) : std::nullopt);
      const auto goes_on = [x](const Curve& curve) { return x <= curve.x.back(); };
      const auto reached_by = static_cast<std::size_t>(std::ranges::count_if(curves, goes_on));
      if (values)
        tidy.rows.push_back({x, name, reached_by, curves.size(), spread.mean, spread.median, spread.min, spread.max});
    }
    shown.rows.push_back(std::move(line));
  }
  return {std::move(shown), std::move(tidy)};
}

TablePair crossings_table(const std::vector<ComparedSeries>& measured, const std::vector<DistinctValues>& keys,
                          const CompareOptions& options) {
  ResultTable table{"crossings", fmt::format("where mean curves of {} over {} cross, by linear interpolation",
                                             options.metric, heading_of(options.against))};
  table.columns = {"first",
                   "second",
                   {options.against, heading_of(options.against)},
                   options.metric,
                   {"lower_after", "lower after"}};
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < measured.size(); ++i)
    for (std::size_t j = i + 1; j < measured.size(); ++j) {
      if (ways_to_differ(keys[i], keys[j]) > 1) {
        ++left_out;
        continue;
      }
      std::vector<Curve> both = measured[i].curves;
      both.insert(both.end(), measured[j].curves.begin(), measured[j].curves.end());
      const std::vector<double> reached_by_all = mean_curve(both, union_of_x(both)).x;
      const std::string &first = measured[i].name, &second = measured[j].name;
      for (const Crossing& crossing :
           crossings(mean_curve(measured[i].curves, reached_by_all), mean_curve(measured[j].curves, reached_by_all)))
        table.rows.push_back({first, second, crossing.x, crossing.y, crossing.first_is_lower_after ? first : second});
    }
  if (left_out > 0)
    table.title += fmt::format("; {} pairs that differ in more than one swept key are left out", left_out);
  return same_for_both(std::move(table));
}

namespace {

/// How old what a run's updates used was; nothing where it had rounds and used nothing of an earlier one.
struct StalenessOfRun {
  std::optional<double> mean, largest;
};

StalenessOfRun staleness_of(const RecordedRun& run) {
  double uses = 0, sum = 0, largest = 0;
  for (const auto& [age, count] : Document(run.summary).at("/totals/staleness").items()) {
    const double old = std::stod(age);
    uses += count.get<double>();
    sum += old * count.get<double>();
    largest = std::max(largest, old);
  }
  if (uses == 0) return {};
  return {sum / uses, largest};
}

}  // namespace

std::optional<TablePair> waits_table(const std::vector<ComparedSeries>& measured) {
  struct Waits {
    std::size_t runs = 0;
    std::map<std::string, double> shares;  // sums over the runs, by kind
    std::string longest;                   // of the first run
  };
  std::vector<Waits> of_series;
  std::map<std::string, double> kinds;
  for (const ComparedSeries& series : measured) {
    Waits& waits = of_series.emplace_back();
    for (const ComparedRun& run : series.runs) {
      const Document summary(run.recorded->summary);
      const Json shares = summary.at("/critical_path/share_by_kind");
      if (!shares.is_object()) continue;
      if (++waits.runs == 1 && summary.has("/critical_path/longest/0"))
        waits.longest = fmt::format("{}, {}", summary.text("/critical_path/longest/0/what"),
                                    summary.text("/critical_path/longest/0/kind"));
      for (const auto& [kind, share] : shares.items()) {
        if (!share.is_number()) continue;
        waits.shares[kind] += share.get<double>();
        kinds[kind] += share.get<double>();
      }
    }
  }
  if (std::ranges::all_of(of_series, [](const Waits& waits) { return waits.runs == 0; })) return std::nullopt;
  std::vector<std::pair<std::string, double>> by_share(kinds.begin(), kinds.end());
  std::ranges::stable_sort(by_share, std::greater{}, &std::pair<std::string, double>::second);

  const std::string title =
      "waits: what everybody waited for, as shares of the time of a run, means over the runs that recorded it; and "
      "what "
      "was longest in the first of them";
  ResultTable shown{"waits", title}, tidy{"waits", title};
  shown.columns = {"series", "runs"};
  tidy.columns = {"series", "runs", "kind", "share"};
  for (const auto& [kind, sum] : by_share) shown.columns.emplace_back(kind);
  shown.columns.emplace_back("longest");
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const Waits& waits = of_series[k];
    std::vector<ResultCell> line{measured[k].name, waits.runs};
    for (const auto& [kind, sum] : by_share) {
      const auto own = waits.shares.find(kind);
      const bool is_there = own != waits.shares.end();
      line.emplace_back(is_there ? std::optional(own->second / static_cast<double>(waits.runs)) : std::nullopt);
      if (is_there) tidy.rows.push_back({measured[k].name, waits.runs, kind, line.back()});
    }
    line.emplace_back(waits.longest);
    shown.rows.push_back(std::move(line));
  }
  return TablePair{std::move(shown), std::move(tidy)};
}

TablePair runs_table(const std::vector<ComparedSeries>& measured, const SweptKeys& swept,
                     const CompareOptions& options) {
  ResultTable table{"runs",
                    fmt::format("runs: {} in the last row, and the simulated time to each level", options.metric)};
  std::vector<std::string> pointers = swept.pointers;
  pointers.insert(pointers.end(), swept.of_labels.begin(), swept.of_labels.end());
  std::vector<PointValues> values;
  std::vector<const ComparedRun*> runs;
  for (const ComparedSeries& series : measured)
    for (const ComparedRun& run : series.runs) {
      runs.push_back(&run);
      values.emplace_back();
      for (const std::string& pointer : pointers)
        values.back().emplace_back(pointer, simple_value(run.recorded->scenario, pointer));
      table.rows.push_back(
          {printable(run.recorded->folder.generic_string()), series.name, static_cast<std::size_t>(run.seed)});
    }
  table.columns = {"folder", "series", "seed"};
  std::vector<std::string> taken{"folder", "series", "seed", "ended_by", options.metric};
  for (const SweptColumn& column : swept_columns(values, taken)) {
    table.columns.emplace_back(column.name);
    for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i].emplace_back(column.cells[i]);
  }
  table.columns.insert(table.columns.end(), {{"ended_by", "ended by"}, options.metric});
  std::size_t row = 0;
  for (const ComparedSeries& series : measured)
    for (const Curve& curve : series.curves) {
      table.rows[row].emplace_back(runs[row]->ended_by);
      table.rows[row++].emplace_back(curve.y.back());
    }
  std::vector<StalenessOfRun> staleness;
  for (const ComparedRun* run : runs) staleness.push_back(staleness_of(*run->recorded));
  if (std::ranges::any_of(staleness, [](const StalenessOfRun& of) { return of.mean.has_value(); })) {
    table.columns.emplace_back("staleness_mean");
    table.columns.emplace_back("staleness_max");
    for (std::size_t i = 0; i < staleness.size(); ++i) {
      table.rows[i].emplace_back(staleness[i].mean);
      table.rows[i].emplace_back(staleness[i].largest);
    }
  }
  for (const double level : options.to) {
    std::vector<std::optional<double>> seconds;
    for (const ComparedRun* run : runs) seconds.push_back(run->paid("simulated_s", level));
    if (std::ranges::none_of(seconds, [](const auto& cost) { return cost.has_value(); })) continue;
    table.columns.emplace_back(fmt::format("to_{}_s", level_text(level)));
    for (std::size_t i = 0; i < seconds.size(); ++i) table.rows[i].emplace_back(seconds[i]);
  }
  return same_for_both(std::move(table));
}

}  // namespace lagnet
