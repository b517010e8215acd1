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

/// How candidates are drawn from their ranges.
enum class TuningDraws { random, latin_hypercube };
constexpr auto spellings(TuningDraws) {
  return std::array{Spelling{TuningDraws::random, "random"}, Spelling{TuningDraws::latin_hypercube, "latin_hypercube"}};
}

/// The section "tune" of a scenario: what `lagnet tune` searches, and how it chooses.
struct TuneOptions {
  std::int64_t candidates = 60;
  std::uint64_t seed = 1;
  TuningDraws draws = TuningDraws::random;
  Json ranges = Json::object();
  std::vector<double> latencies_s{0, 0.2575, 0.8};
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
    field("latencies_s", self.latencies_s,
          "of a round trip, in s: every candidate also runs with half of each as network.latency_ms, for metrics of "
          "its time per round; []: only with the scenario's own network",
          within(0, longest_round_trip_s));
    field("metrics", self.metrics,
          "metrics that candidates are judged by; []: seconds_per_round (at each latency), final_loss, volatility, "
          "rounds_to_descend and, if recorded, test_accuracy");
    field("zeta", self.zeta, "distinguishing coefficient of the Gray Relational Analysis; classically 0.5", above(0));
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
    if (is_repeated(latencies_s)) report("latencies_s", "each latency once", latencies_s);
    if (is_repeated(metrics)) report("metrics", "each metric once", metrics);
  }
  bool asks_for(TuningMetric metric) const { return std::ranges::find(metrics, metric) != metrics.end(); }
  bool runs_at_latencies() const {
    return !latencies_s.empty() && (metrics.empty() || asks_for(TuningMetric::seconds_per_round));
  }
};

}  // namespace lagnet
