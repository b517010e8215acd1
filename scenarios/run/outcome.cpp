#include "scenarios/run/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lagnet {

double compute_utilization(const AgentAccount& account, std::int64_t agents, Time at) {
  if (at == Time()) return 0;
  const Duration busy = account.computing + account.encrypting;
  return busy.in_seconds() / (static_cast<double>(agents) * at.in_seconds());
}

std::optional<std::string> missing_optimum(const Optimum* optimum) {
  if (!optimum || optimum->certified()) return std::nullopt;
  if (optimum->certificate.kind == CertificateKind::no_minimizer)
    return "no minimizer exists (separable data): relative_error is empty";
  if (optimum->certificate.kind == CertificateKind::none)
    return fmt::format("no certified optimum ({}): relative_error is empty", optimum->certificate.method);
  return fmt::format("no certified optimum ({}: {:.2g}): relative_error is empty", name_of(optimum->certificate.kind),
                     optimum->certificate.relative);
}

std::optional<std::string> missing_distance(const ErrorScale& error_scale) {
  if (!error_scale.optimum || error_scale.initial > *error_scale.optimum) return std::nullopt;
  return fmt::format("the start is a minimizer, F(0) = F* = {:.9g}: relative_error, (F - F*) / (F(0) - F*), is empty",
                     *error_scale.optimum);
}

namespace {

/// Rounds until `wanted`, to two digits, at the rate at which the error fell from the middle row to the last one; none
/// if it did not.
std::optional<double> rounds_left(const std::vector<Row>& rows, double wanted) {
  const Row& middle = rows[rows.size() / 2];
  const Row& last = rows.back();
  if (!middle.relative_error || !(*middle.relative_error > *last.relative_error) || !(*last.relative_error > 0))
    return std::nullopt;
  const double fall = std::log(*middle.relative_error / *last.relative_error);
  const double left = std::log(*last.relative_error / wanted) * static_cast<double>(last.round - middle.round) / fall;
  const double digit = std::max(1.0, std::pow(10, std::floor(std::log10(left)) - 1));  // the second
  return std::round(left / digit) * digit;
}

}  // namespace

std::optional<std::string> missed_tolerance(const std::vector<Row>& rows, std::optional<double> wanted) {
  if (!wanted || rows.empty() || !rows.back().relative_error || *rows.back().relative_error <= *wanted)
    return std::nullopt;
  const Row& last = rows.back();
  std::string text = fmt::format("relative error {:.3g} was not reached: it is {:.3g} after {} rounds", *wanted,
                                 *last.relative_error, last.round);
  if (const auto left = rounds_left(rows, *wanted)) text += fmt::format("; at this rate about {:.0f} more", *left);
  return text;
}

std::optional<std::string> worse_than_start(const std::vector<Row>& rows, double objective_start) {
  if (rows.empty() || !(rows.back().objective > objective_start)) return std::nullopt;
  return fmt::format("ended worse than it began: the objective is {:.6g}, and was {:.6g} at the start",
                     *rows.back().objective, objective_start);
}

}  // namespace lagnet
