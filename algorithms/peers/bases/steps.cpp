#include "algorithms/peers/bases/steps.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lagnet {

namespace {

/// mu, by default L/10. Throws OptionError unless 0 < mu <= L.
double least_curvature(std::optional<double> mu, double L) {
  if (!mu) return L / 10;
  if (positive("mu", *mu) > L) throw OptionError("L", "at least mu", fmt::format("{}", L));
  return *mu;
}

}  // namespace

GradientStep GradientStepOptions::in_use(const MethodInput& given) const {
  if (given.timing_only) return {};
  return {step ? positive("step", *step) : 1 / (2 * largest_curvature(L, given))};
}

Acceleration AccelerationOptions::in_use(const MethodInput& given) const {
  const auto twice = [](double L) { return 2 * L; };
  const auto [inverse_step, momentum] = step_and_momentum("alpha", alpha, beta, curvature, twice, given);
  return {.alpha = inverse_step, .beta = momentum};
}

StepAndMomentum step_and_momentum(const char* key, std::optional<double> step, std::optional<double> beta,
                                  const CurvatureOptions& curvature, double (*by_default)(double L),
                                  const MethodInput& given) {
  StepAndMomentum found;
  if (given.timing_only) return found;
  if (step) found.step = positive(key, *step);
  if (beta) found.beta = positive("beta", *beta);
  if (found.beta > 1) throw OptionError("beta", "above 0 and at most 1", fmt::format("{}", found.beta));
  if (step && beta) return found;
  const double L = largest_curvature(curvature.L, given);
  const double mu = least_curvature(curvature.mu, L);
  if (!step) found.step = by_default(L);
  if (!beta) found.beta = std::sqrt(mu / (8 * L));
  return found;
}

}  // namespace lagnet
