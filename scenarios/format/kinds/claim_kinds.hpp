#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/kinds/measure_options.hpp"
#include "scenarios/json/choice.hpp"

/// The claims that a scenario can make about its sweep: statements over recorded numbers. compare/claims.hpp evaluates
/// them.
namespace lagnet {

/// How the runs of several seeds are taken.
enum class ClaimSeeds { each, together };
constexpr auto spellings(ClaimSeeds) {
  return std::array{Spelling{ClaimSeeds::each, "each"}, Spelling{ClaimSeeds::together, "together"}};
}

/// The keys that all claims have.
struct ClaimCommon {
  std::string statement, source, quote, paper, place, weaker;
  MeasureOptions measure;
  std::vector<std::string> each;
  ClaimSeeds seeds = ClaimSeeds::each;
  std::string known_to_fail;
  static void fields(auto& self, auto& field) {
    field("statement", self.statement, "what is claimed, in words", any_value().required());
    field("source", self.source, "numbers of the paper or another source, shown beside the measured ones");
    field(
        "quote", self.quote,
        "the sentence, formula or caption of the paper that the claim checks, word for word; ... for what is left out");
    field("paper", self.paper, "the same in other words");
    field("place", self.place, "where the paper says so: \"section 4, figure 1\"");
    field("weaker", self.weaker, "how the claim is weaker than the paper's statement, or differs from it");
    MeasureOptions::fields(self.measure, field);
    field("each", self.each, "JSON pointers: the claim must hold separately for every combination of the values there");
    field(
        "seeds", self.seeds,
        "each: the claim is decided for every seed of the sweep by itself, and the verdict reports the share of seeds; "
        "together: once, over the runs of all seeds");
    field("known_to_fail", self.known_to_fail,
          "why the claim does not hold here; `lagnet check` shows it and does not fail for it");
  }
  void check(auto& report) const {
    measure.check(report);
    if (!quote.empty() && place.empty()) report("place", "the place of the quote in the paper", "nothing");
    for (std::size_t i = 0; i < each.size(); ++i) check_pointer(report, "each/" + std::to_string(i), each[i]);
  }
};

enum class Direction { rising, falling };
constexpr auto spellings(Direction) {
  return std::array{Spelling{Direction::rising, "rising"}, Spelling{Direction::falling, "falling"}};
}

/// A sequence of numbers: over the values of a key, or over a list of selections.
struct Along {
  std::optional<std::string> over;
  Json values = nullptr;
  Json of = nullptr;
  static void fields(auto& self, auto& field) {
    field("over", self.over, "a JSON pointer whose values are compared: \"/topology/agents\"");
    field("values", self.values, "the values to compare, in this order; null: all that occur, numbers ascending");
    field("of", self.of, "instead of over: a list of selections like where, in this order");
  }
  void check(auto& report) const {
    if (over.has_value() == !of.is_null()) report("over", "exactly one of over and of", over ? "both" : "neither");
    if (over) check_pointer(report, "over", *over);
    if (!values.is_null() && (!values.is_array() || values.size() < 2))
      report("values", "a list of two values or more", values);
    if (!of.is_null() && (!of.is_array() || of.size() < 2)) report("of", "a list of two selections or more", of);
    for (std::size_t i = 0; of.is_array() && i < of.size(); ++i)
      MeasureOptions::check_where(report, "of/" + std::to_string(i), of[i]);
  }
};

struct OrderClaim {
  static constexpr std::string_view kind = "order";
  static constexpr std::string_view summary = "numbers rise or fall over a key, or along a list of selections";
  Along along;
  Direction direction = Direction::rising;
  double tolerance = 0;
  static void fields(auto& self, auto& field) {
    Along::fields(self.along, field);
    field("direction", self.direction, "rising or falling");
    field("tolerance", self.tolerance, "largest step in the other direction, as a share; 0: every step is strict",
          at_least(0));
  }
  void check(auto& report) const { along.check(report); }
};

struct SpreadClaim {
  static constexpr std::string_view kind = "spread";
  static constexpr std::string_view summary = "the largest of some numbers is at most a multiple of the smallest";
  Along along;
  double at_most = 1;
  static void fields(auto& self, auto& field) {
    Along::fields(self.along, field);
    field("at_most", self.at_most, "limit of the largest divided by the smallest", at_least(1).required());
  }
  void check(auto& report) const { along.check(report); }
};

struct BestClaim {
  static constexpr std::string_view kind = "best";
  static constexpr std::string_view summary = "one value of a key gives the best number";
  std::string over;
  Json value = nullptr;
  bool largest = false;
  double tolerance = 0;
  static void fields(auto& self, auto& field) {
    field("over", self.over, "a JSON pointer whose values are compared", any_value().required());
    field("value", self.value, "the value that is claimed to be best", any_value().required());
    field("largest", self.largest, "true: the largest number is the best, not the smallest");
    field("tolerance", self.tolerance, "how far it may be behind the best, as a share of the best", at_least(0));
  }
  void check(auto& report) const { check_pointer(report, "over", over); }
};

/// Two numbers, each selected by its runs.
struct Pair {
  Json of = Json::object(), to = Json::object();
  static void fields(auto& self, auto& field) {
    field("of", self.of, "selects the runs of the first number, in addition to where", any_value().required());
    field("to", self.to, "selects the runs of the second number, in addition to where", any_value().required());
  }
  void check(auto& report) const {
    MeasureOptions::check_where(report, "of", of);
    MeasureOptions::check_where(report, "to", to);
  }
};

struct Bounds {
  std::optional<double> low, high;
  static void fields(auto& self, auto& field) {
    field("at_least", self.low, "lower bound");
    field("at_most", self.high, "upper bound");
  }
  void check(auto& report) const {
    if (!low && !high) report("", "at_least, at_most or both", "neither");
  }
  bool contain(double x) const { return (!low || x >= *low) && (!high || x <= *high); }
  std::string words() const;  // "from 0.5 to 2"
  /// How far x is from the nearer bound, as a share of it, or as it is from 0; below 0 outside.
  double slack(double x) const;
  /// The nearer bound over x, or x over a lower bound: 1 at the bound, below 1 outside; nan unless both are above 0.
  double quotient(double x) const;
};

struct RatioClaim {
  static constexpr std::string_view kind = "ratio";
  static constexpr std::string_view summary = "the ratio of two numbers lies between bounds";
  Pair pair;
  std::optional<std::string> to_metric;
  std::optional<Combine> to_combine;
  Json rounds = nullptr;
  Bounds bounds;
  static void fields(auto& self, auto& field) {
    Pair::fields(self.pair, field);
    field("to_metric", self.to_metric, "the metric of the second number; null: the same");
    field("to_combine", self.to_combine,
          "how several runs of the second number are combined; null: like those of the first");
    field("rounds", self.rounds,
          "instead of one row, every recorded round in a range {\"at_least\": 1, \"at_most\": 5}: the ratio keeps its "
          "bounds in each");
    Bounds::fields(self.bounds, field);
  }
  void check(auto& report) const {
    pair.check(report);
    if (to_metric && to_metric->starts_with('/')) check_pointer(report, "to_metric", *to_metric);
    if (!rounds.is_null() && !is_number_range(rounds))
      report("rounds", "a range {\"at_least\": 1, \"at_most\": 5}", rounds);
    bounds.check(report);
  }
};

struct DifferenceClaim {
  static constexpr std::string_view kind = "difference";
  static constexpr std::string_view summary = "the difference of two numbers lies between bounds";
  Pair pair;
  Bounds bounds;
  static void fields(auto& self, auto& field) {
    Pair::fields(self.pair, field);
    Bounds::fields(self.bounds, field);
  }
  void check(auto& report) const {
    pair.check(report);
    bounds.check(report);
  }
};

struct RatioOrderClaim {
  static constexpr std::string_view kind = "ratio_order";
  static constexpr std::string_view summary = "the ratio of two numbers rises or falls over a key";
  Pair pair;
  std::string over;
  Json values = nullptr;
  Direction direction = Direction::rising;
  static void fields(auto& self, auto& field) {
    Pair::fields(self.pair, field);
    field("over", self.over, "a JSON pointer; the ratio is taken for each of its values", any_value().required());
    field("values", self.values, "the values to compare, in this order; null: all that occur, numbers ascending");
    field("direction", self.direction, "rising or falling");
  }
  void check(auto& report) const {
    pair.check(report);
    Along{.over = over, .values = values}.check(report);
  }
};

struct BoundClaim {
  static constexpr std::string_view kind = "bound";
  static constexpr std::string_view summary = "a number lies between bounds";
  Bounds bounds;
  static void fields(auto& self, auto& field) { Bounds::fields(self.bounds, field); }
  void check(auto& report) const { bounds.check(report); }
};

struct TrendClaim {
  static constexpr std::string_view kind = "trend";
  static constexpr std::string_view summary = "the column rises or falls from row to row of every run that matches";
  Direction direction = Direction::falling;
  double tolerance = 0;
  std::int64_t from_round = 0;
  static void fields(auto& self, auto& field) {
    field("direction", self.direction, "rising or falling; equal values are allowed");
    field("tolerance", self.tolerance, "largest step in the other direction, as a share of the number before",
          at_least(0));
    field("from_round", self.from_round, "rows before this round are ignored", at_least(0));
  }
};

struct JumpClaim {
  static constexpr std::string_view kind = "jump";
  static constexpr std::string_view summary = "somewhere the column rises or falls much from one row to the next";
  Direction direction = Direction::rising;
  double at_least = 0;
  std::int64_t from_round = 0;
  static void fields(auto& self, auto& field) {
    field("direction", self.direction, "rising or falling");
    field("at_least", self.at_least, "the largest such step of every run that matches, as a share of the number before",
          above(0).required());
    field("from_round", self.from_round, "rows before this round are ignored", lagnet::at_least(0));
  }
};

struct RankCorrelationClaim {
  static constexpr std::string_view kind = "rank_correlation";
  static constexpr std::string_view summary = "one number of each run has the order of another one (Spearman)";
  std::string to_metric;
  Bounds bounds;
  static void fields(auto& self, auto& field) {
    field("to_metric", self.to_metric, "the metric that gives the other number of each run", any_value().required());
    Bounds::fields(self.bounds, field);
  }
  void check(auto& report) const {
    if (to_metric.starts_with('/')) check_pointer(report, "to_metric", to_metric);
    bounds.check(report);
  }
};

struct Finding;
struct Evidence;

struct ClaimFamily {
  static constexpr std::string_view key = "kind", called = "claim";
  using Common = ClaimCommon;
  static const Catalogue<Finding, const Evidence&>& catalogue();
};

}  // namespace lagnet
