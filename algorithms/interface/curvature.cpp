#include "algorithms/interface/curvature.hpp"

#include <fmt/format.h>

namespace lagnet {

double positive(const char* key, double value) {
  if (!(std::isfinite(value) && value > 0)) throw OptionError(key, "a number above 0", fmt::format("{}", value));
  return value;
}

double largest_curvature(std::optional<double> L, const MethodInput& given) {
  if (L) return positive("L", *L);
  const double norm = given.central->data_norm();
  if (!(norm > 0))
    throw OptionError("L", "a number above 0, since it cannot be taken from the data", "data that are all 0");
  return given.problem.loss->smoothness().value() * norm * norm / static_cast<double>(given.problem.samples);
}

double gradient_step(std::optional<double> step, std::optional<double> L, const MethodInput& given) {
  if (given.timing_only) return 0;
  return step ? positive("step", *step) : 1 / (2 * largest_curvature(L, given));
}

double least_curvature(std::optional<double> mu, double L) {
  if (!mu) return L / 10;
  if (positive("mu", *mu) > L) throw OptionError("L", "at least mu", fmt::format("{}", L));
  return *mu;
}

Acceleration acceleration(std::optional<double> alpha, std::optional<double> beta, const CurvatureOptions& curvature,
                          const MethodInput& given) {
  Acceleration found;
  if (alpha) found.alpha = positive("alpha", *alpha);
  if (beta) found.beta = positive("beta", *beta);
  if (found.beta > 1) throw OptionError("beta", "above 0 and at most 1", fmt::format("{}", found.beta));
  if (alpha && beta) return found;
  const double L = largest_curvature(curvature.L, given);
  const double mu = least_curvature(curvature.mu, L);
  if (!alpha) found.alpha = 2 * L;
  if (!beta) found.beta = std::sqrt(mu / (8 * L));
  return found;
}

}  // namespace lagnet
