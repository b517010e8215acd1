#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/compare/tables/paired.hpp"
#include "sim/base/remark.hpp"

/// The answer at the top of a comparison: which series reaches each level first, by how much, and which never does.
namespace lagnet {

/// The cost of a level for a series, whose runs reach it when they stay there (level_rows.hpp). Medians are over all
/// runs, where runs that never reach it count as infinite; least and most are over the others.
struct LevelCost {
  std::size_t series = 0;  // its place
  std::optional<double> median, min, max;
  std::optional<double> before;   // the median in the last rows short of the level: the cost lies between the two
  std::optional<double> touched;  // the median in the first rows at the level, whether they stay there or not
  std::size_t reached_by = 0, touched_by = 0, runs = 0;
};

/// A cost that is less than this many times another one is no difference that anybody would choose by.
inline constexpr double least_lead = 1.01;

/// Which series reaches a level for the least of a currency. A series wins if the interval of the ratio to the next one
/// is above 1.01 (a smaller lead does not matter), and if the other series is still short of the level when it arrives:
/// nothing is known between two rows.
struct LevelVerdict {
  double to = 0;
  std::string currency;
  std::optional<std::size_t> leader;  // place of the series with the least median; nothing if no median is known
  std::optional<std::size_t> winner;  // the leader, if it is ahead of all others beyond doubt
  std::optional<std::size_t> next;    // place of the series with the second least median
  MeanInterval ratio;                 // of the medians, next to leader
  std::vector<std::size_t> tied;      // the leader and those after it that it is not ahead of beyond doubt, if any
  std::optional<std::size_t> behind;  // the first series that it certainly beats, after the tied ones
  MeanInterval ratio_behind;
  std::optional<std::size_t> within_row;  // the first of those that tie by rows alone: behind by more than 1 %
  std::vector<LevelCost> costs;           // of every series, in order
};

struct ComparisonVerdict {
  std::string headline;                // one sentence
  std::vector<std::string> sentences;  // by level, the hardest first
  std::vector<std::string> broken;     // who did not run to the end: deadlocks, divergence
  std::vector<std::string> never;      // who never got where, with the best that was reached
  std::string unreached;               // of these the one on the levels that no run reached; "" if there are none
  Remarks remarks;                     // what a reader has to know of these runs
  std::vector<LevelVerdict> rows;      // by level and currency: simulated_s, bytes, and price where all runs have one

  /// Those of one currency, by level.
  std::vector<const LevelVerdict*> in(std::string_view currency) const;
};

/// How many times more the second pays than the first: the ratio of the medians, and the interval of the same ratio
/// over resampled seeds. Of paired ratios there is no mean where a run never gets there. No interval for fewer than two
/// seeds.
MeanInterval ratio_of_costs(const CostsOfSeeds& costs, const BootstrapOptions& options);

LevelVerdict verdict_on_level(const std::vector<ComparedSeries>& measured, double to, const std::string& currency,
                              const CompareOptions& options);

/// The verdict on each level of the options, which are in order, easier ones first.
ComparisonVerdict verdict_on_levels(const std::vector<ComparedSeries>& measured, const CompareOptions& options);

/// Fills in the sentences of a verdict whose rows are there.
void put_into_words(ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured,
                    const CompareOptions& options);

/// The extra cost of each series over its baseline, in place of who is first: "To 1e-1: fed_avg on_off 3.4 times as
/// long as fed_avg (95 %: 2.95 .. 4.18)".
void tell_against_baselines(ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured,
                            const Baselines& baselines, const CompareOptions& options);

/// Its rows as a table.
TablePair verdict_table(const ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured,
                        const CompareOptions& options);

}  // namespace lagnet
