#include "scenarios/compare/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/compare/rank_correlation.hpp"
#include "scenarios/compare/steps.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/json/document.hpp"

namespace lagnet {

namespace {

using Runs = std::vector<const RecordedRun*>;

/// Distinct values at a pointer: numbers ascending, then others in the order of their runs.
std::vector<Json> values_at(const Runs& runs, const std::string& pointer) {
  std::vector<Json> values;
  for (const RecordedRun* run : runs) {
    const Json& value = Document(run->scenario).at(pointer);
    if (!value.is_null() && std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  std::ranges::stable_sort(values, [](const Json& a, const Json& b) {
    return a.is_number() && (!b.is_number() || a.get<double>() < b.get<double>());
  });
  return values;
}

struct Named {
  std::string name;
  double value = 0;
  bool is_claimed = false;  // the one that is claimed to be best
};

/// Those of the runs that have these values, too.
Evidence part_of(Evidence evidence, const Json& selection) {
  evidence.runs = matching(evidence.runs, selection);
  evidence.measure.where.update(selection);
  return evidence;
}

double number_of(const Evidence& evidence) {
  return measured(evidence.runs, with_levels(evidence.measure, evidence.all));
}
Named named(const Evidence& evidence, const std::string& name, const Json& selection) {
  return {name, number_of(part_of(evidence, selection))};
}

std::string listed(const std::vector<Named>& numbers) {
  std::string text;
  for (const Named& number : numbers)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", number.name, shown_measure(number.value));
  return text;
}

void refuse_few(std::string_view what, const std::vector<Named>& found) {
  throw OutputError(fmt::format("expected two {} or more to compare, found {}", what, listed(found)));
}

std::string text_of(const Json& selection) {
  std::string text;
  for (const auto& [pointer, value] : selection.items())
    text += fmt::format("{}{}", text.empty() ? "" : " ", value_text(value));
  return text;
}

std::vector<Json> values_along(const Along& along, const Runs& runs) {
  if (along.values.is_null()) return values_at(runs, *along.over);
  return {along.values.begin(), along.values.end()};
}

/// Throws OutputError if they are less than two.
std::vector<Named> numbers_along(const Along& along, const Evidence& evidence) {
  std::vector<Named> numbers;
  if (along.over) {
    for (const Json& value : values_along(along, evidence.runs))
      numbers.push_back(named(evidence, value_text(value), Json{{*along.over, value}}));
  } else {
    for (const Json& selection : along.of) numbers.push_back(named(evidence, text_of(selection), selection));
  }
  if (numbers.size() < 2) refuse_few("numbers", numbers);
  return numbers;
}

/// How far a is below b, as a share of b; 0 for equal numbers, also infinite ones.
double share_below(double a, double b) {
  if (a == b) return 0;
  return std::isinf(b) ? std::copysign(1.0, b) : (b - a) / std::abs(b);
}

/// Whether the least of some shares keeps what is allowed below 0; where nothing is, it is above 0, or `may_be_zero`.
Finding decided_by_least(double least, std::string_view called, double tolerance, bool may_be_zero,
                         std::string measured) {
  return {.holds = tolerance == 0 && !may_be_zero ? least > 0 : least >= -tolerance,
          .measured = std::move(measured),
          .tolerance = shown_tolerance(tolerance),
          .deciding = least,
          .called = called,
          .is_share = true,
          .slack = least + tolerance};
}

Finding in_order(const std::vector<Named>& numbers, Direction direction, double tolerance) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    const double a = numbers[k - 1].value, b = numbers[k].value;
    const double step = direction == Direction::rising ? share_below(a, b) : share_below(b, a);
    if (!(step >= least)) least = step;
  }
  return decided_by_least(least, "least step", tolerance, false, listed(numbers));
}

Finding order(const OrderClaim& claim, const Evidence& evidence) {
  return in_order(numbers_along(claim.along, evidence), claim.direction, claim.tolerance);
}

Finding is_narrow(const SpreadClaim& claim, const Evidence& evidence) {
  const std::vector<Named> numbers = numbers_along(claim.along, evidence);
  const auto [least, largest] = std::ranges::minmax(numbers, {}, &Named::value);
  const double quotient = largest.value / least.value;
  // Not by the quotient: a number that is never reached must not pass.
  return {.holds = std::isfinite(largest.value) && largest.value <= claim.at_most * least.value,
          .measured = listed(numbers),
          .tolerance = fmt::format("at most {:.4g} times", claim.at_most),
          .deciding = quotient,
          .called = "largest over smallest",
          .slack = 1 - quotient / claim.at_most,
          .times_within = claim.at_most / quotient};
}

Finding has_ratios_in_order(const RatioOrderClaim& claim, const Evidence& evidence) {
  std::vector<Named> ratios;
  for (const Json& value : values_along({.over = claim.over, .values = claim.values}, evidence.runs)) {
    const Evidence part = part_of(evidence, Json{{claim.over, value}});
    ratios.push_back({value_text(value), named(part, "", claim.pair.of).value / named(part, "", claim.pair.to).value});
  }
  if (ratios.size() < 2) refuse_few("ratios", ratios);
  return in_order(ratios, claim.direction, 0);
}

Finding is_best(const BestClaim& claim, const Evidence& evidence) {
  std::vector<Named> numbers;
  std::optional<double> claimed;
  for (const Json& value : values_at(evidence.runs, claim.over)) {
    numbers.push_back(named(evidence, value_text(value), Json{{claim.over, value}}));
    numbers.back().is_claimed = value == claim.value;
    if (numbers.back().is_claimed) claimed = numbers.back().value;
  }
  if (!claimed)
    throw OutputError(
        fmt::format("expected runs with {} at {}, found {}", shown(claim.value), claim.over, listed(numbers)));
  if (numbers.size() < 2) refuse_few("numbers", numbers);
  double least = std::numeric_limits<double>::infinity();
  for (const Named& number : numbers) {
    if (number.is_claimed) continue;
    const double lead = (claim.largest ? -1 : 1) * share_below(*claimed, number.value);
    if (!(lead >= least)) least = lead;
  }
  if (!std::isfinite(*claimed)) least = -std::numeric_limits<double>::infinity();  // "never" is not the best
  return decided_by_least(least, "ahead of the next", claim.tolerance, true, listed(numbers));
}

Finding within(const Bounds& bounds, double x, std::string_view called, std::string measured) {
  return {.holds = bounds.contain(x),
          .measured = std::move(measured),
          .tolerance = bounds.words(),
          .deciding = x,
          .called = called,
          .slack = bounds.slack(x),
          .times_within = bounds.quotient(x)};
}

/// The least and the largest ratio in the recorded rounds of a range.
Finding has_ratio_in_rounds(const RatioClaim& claim, Evidence above, Evidence below) {
  const Runs numerators = matching(above.runs, claim.pair.of);
  if (numerators.empty()) throw OutputError(fmt::format("expected runs with {}, found none", claim.pair.of.dump()));
  if (!above.measure.at.is_null() || !above.measure.first.is_null())
    throw OutputError("expected neither at nor first beside rounds, found one of them");
  std::vector<Named> ratios;
  for (const double round : recorded_column(*numerators.front(), "round")) {
    if (!is_in_range(round, claim.rounds)) continue;
    above.measure.at = below.measure.at = Json{{"round", round}};
    ratios.push_back({fmt::format("round {:.0f}", round),
                      named(above, "", claim.pair.of).value / named(below, "", claim.pair.to).value});
  }
  if (ratios.empty()) throw OutputError(fmt::format("expected rounds in {}, found none", claim.rounds.dump()));
  const auto [least, largest] = std::ranges::minmax(ratios, {}, &Named::value);
  const auto slack = [&](const Named& one) { return claim.bounds.slack(one.value); };
  Finding finding =
      within(claim.bounds, std::ranges::min(ratios, {}, slack).value, "ratio",
             fmt::format("from {:.4g} ({}) to {:.4g} ({})", least.value, least.name, largest.value, largest.name));
  finding.holds = std::ranges::all_of(ratios, [&](const Named& one) { return claim.bounds.contain(one.value); });
  return finding;
}

Finding has_ratio(const RatioClaim& claim, const Evidence& evidence) {
  Evidence below = evidence;
  if (claim.to_metric) below.measure.metric = *claim.to_metric;
  if (claim.to_combine) below.measure.combine = *claim.to_combine;
  if (!claim.rounds.is_null()) return has_ratio_in_rounds(claim, evidence, below);
  const double above = named(evidence, "", claim.pair.of).value, under = named(below, "", claim.pair.to).value;
  return within(claim.bounds, above / under, "ratio",
                fmt::format("{:.4g} ({} over {})", above / under, shown_measure(above), shown_measure(under)));
}

Finding has_difference(const DifferenceClaim& claim, const Evidence& evidence) {
  const double from = named(evidence, "", claim.pair.of).value, taken = named(evidence, "", claim.pair.to).value;
  return within(claim.bounds, from - taken, "difference",
                fmt::format("{} ({} less {})", shown_measure(from - taken), shown_measure(from), shown_measure(taken)));
}

Finding is_within(const BoundClaim& claim, const Evidence& evidence) {
  const double value = number_of(evidence);
  return within(claim.bounds, value, "number", shown_measure(value));
}

/// For every combination of the values at the pointers, from the level-th on, by itself; the number that decides is the
/// one with the least slack.
Finding for_each_value(const Choice<ClaimFamily>& claim, const Evidence& evidence, std::size_t level = 0) {
  const std::vector<std::string>& each = claim.common().each;
  if (level == each.size()) return claim.make(evidence);
  const std::vector<Json> values = values_at(evidence.runs, each[level]);
  if (values.empty()) throw OutputError(fmt::format("expected runs with {}, found none", each[level]));
  Finding all;
  bool all_hold = true;
  std::string measured;
  for (const Json& value : values) {
    const Finding one = for_each_value(claim, part_of(evidence, Json{{each[level], value}}), level + 1);
    all_hold = all_hold && one.holds;
    measured += fmt::format("{}{} ({})", measured.empty() ? "" : "; ", value_text(value), one.measured);
    if (value == values.front() || !(one.slack >= all.slack)) all = one;
  }
  all.holds = all_hold;
  all.measured = std::move(measured);
  return all;
}

}  // namespace

std::string shown_tolerance(double share) { return share == 0 ? "none" : fmt::format("{:.3g} %", 100 * share); }

const Catalogue<Finding, const Evidence&>& ClaimFamily::catalogue() {
  static const Catalogue<Finding, const Evidence&> all(
      entry<OrderClaim>(order), entry<BestClaim>(is_best), entry<RatioClaim>(has_ratio),
      entry<DifferenceClaim>(has_difference), entry<BoundClaim>(is_within), entry<TrendClaim>(has_trend),
      entry<JumpClaim>(has_jump), entry<SpreadClaim>(is_narrow), entry<RatioOrderClaim>(has_ratios_in_order),
      entry<RankCorrelationClaim>(has_rank_correlation));
  return all;
}

Finding evaluate(const Choice<ClaimFamily>& claim, const std::vector<const RecordedRun*>& runs) {
  const MeasureOptions& measure = claim.common().measure;
  return for_each_value(claim, Evidence{matching(runs, measure.where), measure, runs});
}

}  // namespace lagnet
