#include "algorithms/peers/bases/steps.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace lagnet {

namespace {

/// mu, by default L/10. Throws Diagnosed unless 0 < mu <= L.
double least_curvature(std::optional<double> mu, double L) {
  if (!mu) return L / 10;
  if (positive("mu", *mu) > L) throw Diagnosed("L", "at least mu", fmt::format("{}", L));
  return *mu;
}

/// A step, by default what `by_default` makes of L, and beta, by default sqrt(mu / (8 L)). `key` is the step's option.
std::pair<double, double> step_and_beta(const char* key, std::optional<double> step, std::optional<double> beta,
                                        const CurvatureOptions& curvature, double (*by_default)(double L),
                                        const MethodInput& given) {
  if (given.timing_only) return {0, 0};
  if (step) positive(key, *step);
  if (beta && positive("beta", *beta) > 1) throw Diagnosed("beta", "above 0 and at most 1", fmt::format("{}", *beta));
  if (step && beta) return {*step, *beta};
  const double L = largest_curvature(curvature.L, given);
  const double mu = least_curvature(curvature.mu, L);
  return {step ? *step : by_default(L), beta ? *beta : std::sqrt(mu / (8 * L))};
}

}  // namespace

GradientStep GradientStepOptions::in_use(const MethodInput& given) const {
  if (given.timing_only) return {};
  return {step ? positive("step", *step) : 1 / (2 * largest_curvature(L, given))};
}

Acceleration AccelerationOptions::in_use(const MethodInput& given) const {
  const auto twice = [](double L) { return 2 * L; };
  const auto [first, second] = step_and_beta("alpha", alpha, beta, curvature, twice, given);
  return {.alpha = first, .beta = second};
}

StepAndMomentum StepAndMomentumOptions::in_use(const MethodInput& given) const {
  const auto by_default = [](double L) { return 1 / (2 * L); };
  const auto [first, second] = step_and_beta("step", step, beta, curvature, by_default, given);
  return {.step = first, .beta = second};
}

}  // namespace lagnet
