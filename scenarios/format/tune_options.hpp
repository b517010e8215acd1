#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "scenarios/format/kinds/latency_kinds.hpp"
#include "scenarios/format/sweep_points.hpp"

namespace lagnet {

/// The metrics that candidates are judged by (scenarios/tune/tuning_metrics.hpp); smaller is better for all but the
/// accuracy.
enum class TuningMetric { seconds_per_round, final_loss, test_accuracy, volatility, rounds_to_descend };
constexpr auto spellings(TuningMetric) {
  return std::array{
      Spelling{TuningMetric::seconds_per_round, "seconds_per_round"}, Spelling{TuningMetric::final_loss, "final_loss"},
      Spelling{TuningMetric::test_accuracy, "test_accuracy"}, Spelling{TuningMetric::volatility, "volatility"},
      Spelling{TuningMetric::rounds_to_descend, "rounds_to_descend"}};
}

/// How one of the candidates is chosen.
enum class TuningChoice { first, gray };
constexpr auto spellings(TuningChoice) {
  return std::array{Spelling{TuningChoice::first, "first"}, Spelling{TuningChoice::gray, "gray"}};
}

/// The cost of a level: the columns of progress.csv that count it.
enum class TuningCost { simulated_s, bytes, round };
constexpr auto spellings(TuningCost) {
  return std::array{Spelling{TuningCost::simulated_s, "simulated_s"}, Spelling{TuningCost::bytes, "bytes"},
                    Spelling{TuningCost::round, "round"}};
}

/// How candidates are drawn from their ranges.
enum class TuningDraws { random, latin_hypercube };
constexpr auto spellings(TuningDraws) {
  return std::array{Spelling{TuningDraws::random, "random"}, Spelling{TuningDraws::latin_hypercube, "latin_hypercube"}};
}

/// The section "tune" of a scenario: what `lagnet tune` searches, and how it chooses.
struct TuneOptions {
  std::int64_t candidates = 20;
  std::uint64_t seed = 1;
  TuningDraws draws = TuningDraws::random;
  Json ranges = Json::object();
  TuningChoice choose = TuningChoice::first;
  std::optional<double> to;
  TuningCost cost = TuningCost::simulated_s;
  std::vector<std::uint64_t> seeds;
  std::optional<std::vector<double>> latencies_s;
  std::vector<TuningMetric> metrics;
  double zeta = 1;
  static void fields(auto& self, auto& field) {
    constexpr double longest_round_trip_s = 2e-3 * longest_latency_ms;
    field("candidates", self.candidates, "number of candidates that are drawn and run", within(1, 100'000));
    field("seed", self.seed, "seed of these draws, independent of the runs' seeds");
    field("draws", self.draws,
          "random: independent draws, so that a longer search starts with the candidates of a shorter one; "
          "latin_hypercube: spread evenly over every range");
    field("ranges", self.ranges,
          "JSON pointers to ranges, uniform in the logarithm unless they say \"scale\": \"linear\": {\"/algorithm/a\": "
          "{\"low\": 1e-5, \"high\": 25}}",
          any_value().required());
    field(
        "choose", self.choose,
        "first: the candidate that gets to a level of relative_error at the lowest cost; gray: the one of the highest "
        "grade over several metrics, by Gray Relational Analysis over the Pareto front");
    field("to", self.to,
          "for first: the level of relative_error; null: stop.relative_error or, where there is none, the lowest of "
          "1e-1, "
          "1e-2, .., 1e-6 that any candidate gets to",
          above(0));
    field("cost", self.cost, "for first: what the level is to cost little of");
    field(
        "seeds", self.seeds,
        "for first: every candidate runs once with each of these, and the median counts, in which a run that does not "
        "get to the level costs more than all others; []: with the scenario's seed alone");
    field("latencies_s", self.latencies_s,
          "for gray: of a round trip, in s: every candidate also runs with half of each as network.latency_ms, for "
          "metrics of its time per round; []: only with the scenario's own network; null: [0, 0.2575, 0.8]",
          within(0, longest_round_trip_s));
    field("metrics", self.metrics,
          "for gray: metrics that candidates are judged by; []: seconds_per_round (at each latency), final_loss, "
          "volatility, rounds_to_descend and, if recorded, test_accuracy");
    field("zeta", self.zeta, "for gray: distinguishing coefficient of the Gray Relational Analysis; classically 0.5",
          above(0));
  }
  void check(auto& report) const {
    Diagnostics diagnostics("");
    const NamedRanges named = read_ranges(ranges, RangeScale::log, "ranges", diagnostics);
    for (const Diagnostic& one : diagnostics.list()) report(one.where, one.expected, one.found);
    for (const auto& [pointer, range] : named)
      if (runs_at_latencies() && pointer.starts_with("/network/latency_ms"))
        report(child_pointer("ranges", pointer), "no latency where latencies_s sets them", pointer);
    const auto is_repeated = [](const auto& list) {
      return std::ranges::any_of(list, [&](const auto& one) { return std::ranges::count(list, one) > 1; });
    };
    if (latencies_s && is_repeated(*latencies_s)) report("latencies_s", "each latency once", *latencies_s);
    if (is_repeated(metrics)) report("metrics", "each metric once", metrics);
    if (is_repeated(seeds)) report("seeds", "each seed once", seeds);
    check_choice(report);
  }
  /// Options without effect.
  void check_choice(auto& report) const {
    if (choose == TuningChoice::first) {
      if (latencies_s) report("latencies_s", "null where choose is first", *latencies_s);
      if (!metrics.empty()) report("metrics", "[] where choose is first", metrics);
      if (zeta != TuneOptions().zeta) report("zeta", "1 where choose is first", zeta);
    } else {
      if (to) report("to", "null where choose is gray", *to);
      if (!seeds.empty()) report("seeds", "[] where choose is gray", seeds);
      if (cost != TuneOptions().cost) report("cost", "simulated_s where choose is gray", spelled(cost));
    }
  }
  bool asks_for(TuningMetric metric) const { return std::ranges::find(metrics, metric) != metrics.end(); }
  bool runs_at_latencies() const { return !latencies().empty(); }
  /// Those at which candidates run, too.
  std::vector<double> latencies() const {
    if (choose == TuningChoice::first || !(metrics.empty() || asks_for(TuningMetric::seconds_per_round))) return {};
    return latencies_s.value_or(std::vector<double>{0, 0.2575, 0.8});
  }
};

}  // namespace lagnet
