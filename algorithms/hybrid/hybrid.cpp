#include "algorithms/hybrid/hybrid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/interface/rounds.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

double ridge_weight(const Problem& problem, std::string_view kind) {
  const Regularizer& r = *problem.regularizer;
  const double l1 = r.l1_weight().value_or(1), l2 = r.l2_weight().value_or(0);
  if (l1 != 0 || !(l2 > 0))
    throw Diagnosed("kind", "an algorithm that needs no l2 regularizer with a weight above 0", std::string(kind));
  if (problem.constraint)
    throw Diagnosed("kind", "an algorithm that keeps to the problem's constraint", std::string(kind));
  return l2;
}

/// l*(lam), where rounding may have put lam beyond an end of the domain by a few units in the last place.
double conjugate_near(const Loss& l, double lam, double y) {
  constexpr double slack = 0x1p-45;
  double value = l.conjugate(lam, y);
  if (!std::isfinite(value)) value = l.conjugate(lam * (1 - slack), y);
  if (!std::isfinite(value) && std::abs(lam) < slack) value = l.conjugate(0, y);
  return value;
}

}  // namespace

CellMethod::CellMethod(MethodInput given) : given_(std::move(given)), clients_(all_agents(given_.network.agents)) {
  clients_.erase(clients_.begin());
  LAGNET_CHECK(given_.cells && cells().clients() == std::ssize(clients_), "no cells for {} agents",
               given_.network.agents);
}

Evaluation CellMethod::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& whole = report[server_agent][0];
  return {.iterate = whole, .objective = problem().objective(whole), .metrics = {}};
}

Remarks CellMethod::remarks_on_absent(const std::function<bool(AgentId)>& took_part) const {
  std::vector<AgentId> absent;
  for (const AgentId k : clients_)
    if (cells().of(k).n() > 0 && !took_part(k)) absent.push_back(k);
  if (absent.empty()) return {};
  const std::size_t shown = std::min<std::size_t>(absent.size(), 5);
  const std::string which =
      fmt::format("{}", fmt::join(absent.begin(), absent.begin() + static_cast<Index>(shown), ", "));
  return {
      {"clients_never_took_part",
       {{"clients", absent.size()}},
       fmt::format("{} of {} clients never took part (agents {}{}): the run solves the problem without their samples "
                   "and features",
                   absent.size(), clients_.size(), which, shown < absent.size() ? ", .." : "")}};
}

std::vector<Index> pick_samples(SamplePicker picker, Index n, Index count, Index visits, Draws draws) {
  LAGNET_CHECK(n >= 1 && count >= 0, "{} of {} samples", count, n);
  std::vector<Index> picks;
  picks.reserve(static_cast<std::size_t>(count));
  if (picker == SamplePicker::cyclic) {
    for (Index i = 0; i < count; ++i) picks.push_back((visits * count + i) % n);
    return picks;
  }
  while (std::ssize(picks) < count) {
    const Index wanted = std::min(n, count - std::ssize(picks));
    const auto drawn = draws.distinct(static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(wanted));
    picks.insert(picks.end(), drawn.begin(), drawn.end());
  }
  return picks;
}

HybridMethod::HybridMethod(std::string_view kind, const InnerIterations& inner, MethodInput input)
    : CellMethod(std::move(input)), lambda_(ridge_weight(problem(), kind)), H_(0), picker_(inner.picker) {
  if (given().start.size() > 0 && !given().start.isZero(0))
    throw Diagnosed("kind", "an algorithm that may start anywhere: this one starts at 0", std::string(kind));
  // A product that is an integer in decimals may be a few units in the last place above it.
  constexpr double slack = 1e-12;
  const double of_ratio = std::ceil(inner.iic.value_or(0) * N() / static_cast<double>(cells().clients()) * (1 - slack));
  const double most = 1e15;  // an Index, and far beyond any use
  H_ = inner.local_steps ? *inner.local_steps : static_cast<Index>(std::clamp(of_ratio, 1.0, most));
}

Evaluation HybridMethod::evaluate(Round round, RoundReport report, const ErrorScale& scale) const {
  Evaluation result = CellMethod::evaluate(round, report, scale);
  const bool relative = scale.optimum && *scale.optimum > 0;
  result.metrics.push_back(relative ? std::optional(result.objective / *scale.optimum - 1) : std::nullopt);
  return result;
}

double HybridMethod::dual_objective(VectorRef a) const {
  double conjugates = 0;
  for (Index i = 0; i < a.size(); ++i) conjugates += conjugate_near(loss(), -a[i], problem().y[i]);
  const Vector w = problem().pulled_back(a) / (lambda() * N());  // w(a)
  return -lambda() / 2 * w.squaredNorm() - conjugates / N();     // (2)
}

Remarks HybridMethod::remarks(const RunCounts& counts) const {
  Remarks all = remark_on_missing(counts.missing, "clients", without_answers());
  for (Remark& one : remarks_on_absent([&](AgentId k) { return counts.agents[k].flops > flops_of_absent(k); }))
    all.push_back(std::move(one));
  return all;
}

std::optional<Bytes> HybridMethod::memory() const {
  Bytes numbers = 6 * (cells().samples() + cells().features());
  for (const AgentId k : clients()) numbers += 6 * (cells().of(k).n() + cells().of(k).m());
  return cells().bytes() + Bytes{sizeof(double)} * numbers;
}

}  // namespace lagnet
