#include "algorithms/interface/rate_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/interface/curvature.hpp"

namespace lagnet {

double RateBound::at(Round t) const {
  const auto k = static_cast<double>(t);
  if (t < from) return std::numeric_limits<double>::infinity();
  return std::pow(floor + resolution + C * std::pow(q, k) * std::pow(k + shift, -power), exponent);
}

bool is_undisturbed(const MethodInput& given) {
  return !given.timing_only && !given.may_miss_rounds && !given.may_lack_answers && !given.may_lose_messages &&
         !given.network.changes && !given.network.round_weights && !given.attackers.any() && given.cohort &&
         std::min(*given.cohort, given.most_asked) + 1 >= given.network.agents;  // one may be a server
}

namespace {

constexpr double most_flops_of_bound = 5e7;  // of X'X and its eigenvalues, so that short runs stay short

constexpr double rounding_of_steps = 1e-12;  // of products that are one number in theory

double distance(const Vector& start, const Vector& x) { return start.size() == 0 ? x.norm() : (x - start).norm(); }

/// |x_0 - x*|^2 over F(0) - F*, or nothing where either is not known.
std::optional<double> squared_distance(const Vector& start, const ErrorScale& scale) {
  if (!scale.minimizer || !scale.optimum || !(scale.initial > *scale.optimum)) return std::nullopt;
  const double R = distance(start, *scale.minimizer);
  return R * R / (scale.initial - *scale.optimum);
}

}  // namespace

bool is_too_much(const MethodInput& given) {
  const auto n = static_cast<double>(given.problem.X->rows()), d = static_cast<double>(given.problem.X->cols());
  return n * d * d + d * d * d > most_flops_of_bound;
}

double least_curvature_of_all(const MethodInput& given) {
  const bool is_known = given.problem.loss->is_squared() && !is_too_much(given);
  return is_known ? least_gram_eigenvalue(*given.problem.X) : 0;
}

std::optional<RateBound> proximal_gradient_bound(const ProximalStep& of, bool has_constraint, const Vector& start,
                                                 const ErrorScale& scale) {
  const double rho = std::max(std::abs(1 - of.step() * of.least()), std::abs(1 - of.step() * of.largest()));
  if (of.least() > 0 && rho < 1 && !has_constraint && start.size() == 0)
    return RateBound{.measure = "relative_error",
                     .C = 1,
                     .q = rho * rho,
                     .resolution = scale.floor,
                     .text = "rho^{2t}, rho = max(|1 - s mu|, |1 - s L|)",
                     .source = "Taylor, Hendrickx, Glineur 2018"};
  const auto squared = squared_distance(start, scale);
  if (!squared || of.step() * of.largest() > 1 + rounding_of_steps) return std::nullopt;
  return RateBound{.measure = "relative_error",
                   .C = *squared / (2 * of.step()),
                   .power = 1,
                   .from = 1,
                   .resolution = scale.floor,
                   .text = "|x_0 - x*|^2 / (2 s t (F(0) - F*))",
                   .source = "Beck, Teboulle 2009, theorem 3.1"};
}

std::optional<RateBound> fista_bound(const ProximalStep& of, const Vector& start, const ErrorScale& scale) {
  const auto squared = squared_distance(start, scale);
  if (!squared || of.step() * of.largest() > 1 + rounding_of_steps) return std::nullopt;
  return RateBound{.measure = "relative_error",
                   .C = 2 * *squared / of.step(),
                   .power = 2,
                   .shift = 1,
                   .from = 1,
                   .resolution = scale.floor,
                   .text = "2 |x_0 - x*|^2 / (s (t + 1)^2 (F(0) - F*))",
                   .source = "Beck, Teboulle 2009, theorem 4.4"};
}

std::optional<RateBound> constant_momentum_bound(const ProximalStep& of, double q, const ErrorScale& scale) {
  if (!scale.optimum || of.step() * of.largest() > 1 + rounding_of_steps ||
      q > of.step() * of.least() * (1 + rounding_of_steps))
    return std::nullopt;
  return RateBound{.measure = "relative_error",
                   .C = 2,
                   .q = 1 - std::sqrt(q),
                   .resolution = scale.floor,
                   .text = "2 (1 - sqrt q)^t",
                   .source = "Schmidt, Le Roux, Bach 2011, proposition 4"};
}

}  // namespace lagnet
