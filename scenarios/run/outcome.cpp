#include "scenarios/run/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "algorithms/peers/bases/alike_agents.hpp"

namespace lagnet {

double compute_utilization(const AgentAccount& account, std::int64_t agents, Time at) {
  if (at == Time()) return 0;
  const Duration busy = account.computing + account.encrypting;
  return busy.in_seconds() / (static_cast<double>(agents) * at.in_seconds());
}

std::optional<Remark> missing_optimum(const Optimum* optimum) {
  if (!optimum || optimum->certified()) return std::nullopt;
  if (optimum->certificate.kind == CertificateKind::no_minimizer)
    return Remark{"no_minimizer", {}, "no minimizer exists (separable data): relative_error is empty"};
  if (optimum->certificate.kind == CertificateKind::none)
    return Remark{"no_certified_optimum",
                  {},
                  fmt::format("no certified optimum ({}): relative_error is empty", optimum->certificate.method)};
  return Remark{"no_certified_optimum",
                {{"certificate_relative", optimum->certificate.relative}},
                fmt::format("no certified optimum ({}: {:.2g}): relative_error is empty",
                            name_of(optimum->certificate.kind), optimum->certificate.relative)};
}

std::optional<Remark> missing_distance(const ErrorScale& error_scale) {
  if (!error_scale.optimum || error_scale.initial > *error_scale.optimum) return std::nullopt;
  return Remark{
      "start_is_minimizer",
      {{"optimum", *error_scale.optimum}},
      fmt::format("the start is a minimizer, F(0) = F* = {:.9g}: relative_error, (F - F*) / (F(0) - F*), is empty",
                  *error_scale.optimum)};
}

namespace {

/// Rounded up to two digits: what is estimated has no more.
double two_digits(double rounds) {
  const double digit = std::max(1.0, std::pow(10, std::floor(std::log10(rounds)) - 1));  // the second
  return std::ceil(rounds / digit) * digit;
}

/// How much the logarithm of the error fell in a round, from one place to another.
double rate_between(std::size_t from, std::size_t to, std::span<const double> rounds, std::span<const double> best) {
  return std::log(best[from] / best[to]) / (rounds[to] - rounds[from]);
}

}  // namespace

Outlook outlook(std::span<const double> rounds, std::span<const double> errors, double wanted) {
  constexpr double much_worse = 1.25, levels_off = 0.5, is_steady = 0.8, too_many = 1000;
  constexpr std::size_t enough_rows = 16;  // to tell rates of quarters
  if (errors.empty() || !(errors.back() > 0) || std::ranges::min(errors) <= wanted) return {};
  std::vector<double> best;  // by each row
  for (const double error : errors) best.push_back(best.empty() || error < best.back() ? error : best.back());
  const auto lowest = static_cast<std::size_t>(std::ranges::find(best, best.back()) - best.begin());
  if (errors.back() > much_worse * best.back())
    return {.why_not = fmt::format("it was {:.3g} in round {:.0f}, and more rounds made it worse", best.back(),
                                   rounds[lowest])};
  const std::size_t last = best.size() - 1, middle = best.size() / 2, third = (middle + last) / 2;
  if (lowest <= middle && middle < last)
    return {.why_not = fmt::format("it has not fallen since round {:.0f}: more rounds will not help", rounds[lowest])};
  if (best.size() < enough_rows) return {};
  const double needed = std::log(best.back() / wanted), rate = rate_between(middle, last, rounds, best);
  // Rates that fall by q from one quarter to the next add up to no more than a geometric series does.
  const double at_end = rate_between(third, last, rounds, best);
  const double q = at_end / rate_between(middle, third, rounds, best);
  const double ahead = at_end * (rounds[last] - rounds[third]) * q / (1 - q);
  if (q < levels_off && needed > ahead)
    return {.why_not =
                fmt::format("it levels off near {:.3g}: more rounds will not help", best.back() * std::exp(-ahead))};
  if (q < is_steady) return {};
  const double left = needed / rate;
  if (left > too_many * rounds[last])
    return {.why_not = fmt::format("at this rate it takes more than {:.0f} times as many", too_many)};
  return {.more_rounds = two_digits(left)};
}

bool has_other_limit(const Remarks& remarks) {
  return std::ranges::any_of(
      remarks, [](const Remark& one) { return one.code == messages_missing_code || one.code == states_lost_code; });
}

std::optional<Remark> missed_tolerance(const std::vector<Row>& rows, std::optional<double> wanted,
                                       bool may_have_other_limit) {
  if (!wanted || rows.empty() || !rows.back().relative_error || *rows.back().relative_error <= *wanted)
    return std::nullopt;
  const Row& last = rows.back();
  Remark remark{std::string(tolerance_missed_code),
                {{"wanted", *wanted}, {"relative_error", *last.relative_error}, {"rounds", last.round}},
                {}};
  std::string& text = remark.text;
  text = fmt::format("relative error {:.3g} was not reached: it is {:.3g} after {} rounds", *wanted,
                     *last.relative_error, last.round);
  std::vector<double> rounds, errors;
  for (const Row& row : rows)
    if (row.relative_error) {
      rounds.push_back(static_cast<double>(row.round));
      errors.push_back(*row.relative_error);
    }
  if (const auto touched = std::ranges::find_if(errors, [&](double error) { return error <= *wanted; });
      touched != errors.end()) {
    text += fmt::format(": it was {:.3g} in round {:.0f}, and did not stay", *touched,
                        rounds[static_cast<std::size_t>(touched - errors.begin())]);
    return remark;
  }
  const Outlook ahead = outlook(rounds, errors, *wanted);
  if (ahead.more_rounds && !may_have_other_limit)
    text += fmt::format("; at this rate about {:.0f} more", *ahead.more_rounds);
  if (!ahead.why_not.empty()) text += "; " + ahead.why_not;
  return remark;
}

Remark missed_metric(const std::vector<Row>& rows, std::size_t place, const StopMetricOptions& goal) {
  const auto has_value = [place](const Row& row) { return row.metrics[place].has_value(); };
  const auto last = std::ranges::find_if(rows.rbegin(), rows.rend(), has_value);
  if (last == rows.rend())
    return {"metric_without_values",
            {},
            fmt::format("stop.metric could not end the run: no row has a value of {}", goal.column)};
  const std::string wanted = goal.at_least  ? fmt::format("{:g} or more", *goal.at_least)
                             : goal.at_most ? fmt::format("{:g} or less", *goal.at_most)
                                            : fmt::format("{:g} of the central optimum's", *goal.share_of_central);
  return {"metric_missed",
          {{"value", *last->metrics[place]}, {"rounds", last->round}},
          fmt::format("{} of {} was not reached: it is {:.6g} after {} rounds", goal.column, wanted,
                      *last->metrics[place], last->round)};
}

std::optional<std::size_t> place_of_measure(const Experiment& experiment, const RateBound& bound) {
  if (bound.measure == "relative_error") return std::nullopt;
  const std::vector<std::string> columns = metric_columns(experiment);
  const auto found = std::ranges::find(columns, bound.measure);
  LAGNET_CHECK(found != columns.end(), "a bound on {}, which is no column", bound.measure);
  return static_cast<std::size_t>(found - columns.begin());
}

std::optional<WorstOfBound> worst_of_bound(const std::vector<Row>& rows, const RateBound& bound,
                                           std::optional<std::size_t> place) {
  constexpr double rounding = 1e-9;  // relative, of the sums in the measure and the bound
  std::optional<WorstOfBound> worst;
  for (const Row& row : rows) {
    const auto measured = place ? row.metrics[*place] : row.relative_error;
    const double allowed = bound.at(row.round);
    if (!measured || !std::isfinite(allowed) || !(allowed > 0)) continue;
    const double ratio = *measured / allowed;
    if (!worst || ratio > worst->ratio)
      worst = WorstOfBound{.ratio = ratio,
                           .measured = *measured,
                           .bound = allowed,
                           .round = row.round,
                           .is_above = ratio > 1 + rounding};
  }
  return worst;
}

std::optional<Remark> above_bound(const std::optional<WorstOfBound>& worst, const RateBound& bound) {
  if (!worst || !worst->is_above) return std::nullopt;
  return Remark{std::string(above_bound_code),
                {{"round", worst->round}, {"measured", worst->measured}, {"bound", worst->bound}},
                fmt::format("{} is {:.6g} in round {}, above the {:.6g} that theory proves ({}; {}): the method, the "
                            "bound or what it assumes is wrong",
                            bound.measure, worst->measured, worst->round, worst->bound, bound.text, bound.source)};
}

std::optional<Remark> worse_than_start(const std::vector<Row>& rows, double objective_start) {
  if (rows.empty() || !(rows.back().objective > objective_start)) return std::nullopt;
  return Remark{std::string(worse_than_start_code),
                {{"objective", *rows.back().objective}, {"objective_start", objective_start}},
                fmt::format("ended worse than it began: the objective is {:.6g}, and was {:.6g} at the start",
                            *rows.back().objective, objective_start)};
}

std::optional<Remark> free_computation(const std::vector<Row>& rows, Flops flops, bool works_for_free) {
  const auto changed = [&](const Row& row) { return row.objective != rows.front().objective; };
  if ((flops > 0 && !works_for_free) || std::ranges::none_of(rows, changed)) return std::nullopt;
  return Remark{
      "computing_is_free",
      {},
      "agents never wait for what they compute, so that it takes no time, and speeds and stragglers change nothing: "
      "co_await me.compute(work, kernel) bills it, in Python await me.compute(me.gradient_flops) for a gradient"};
}

std::optional<Remark> longest_sums(const AgentAccount& total) {
  std::vector<std::string> names;
  for (const auto& [name, sum] :
       {std::pair("computing_s", total.computing), std::pair("encrypting_s", total.encrypting),
        std::pair("idle_s", total.idle), std::pair("sleeping_s", total.sleeping), std::pair("away_s", total.away),
        std::pair("queueing_s", total.queueing), std::pair("transfer_s", total.transferring)})
    if (sum == Duration::longest()) names.emplace_back(name);
  if (names.empty()) return std::nullopt;
  return Remark{
      "longest_time",
      {},
      fmt::format("{} of all agents together {} at {:.9g} s, the longest time that is counted (292 years)",
                  fmt::join(names, ", "), names.size() == 1 ? "ends" : "end", Duration::longest().in_seconds())};
}

}  // namespace lagnet
