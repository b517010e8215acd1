#include "scenarios/format/kinds/distributions.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace lagnet {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// P(Z <= z). The complementary error function keeps all digits of the lower tail.
double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// The quantile of a standard normal variable between two numbers.
double truncated_normal(double low, double high, double u) {
  // In the upper tail the distribution function has no digits left; its mirror image does. 1 - u is exact for draws.
  if (low > 0) return -truncated_normal(-high, -low, 1 - u);
  const double below = normal_below(low);
  const double p = below + u * (normal_below(high) - below);
  return std::clamp(normal_quantile(std::min(p, 1 - 0x1p-53)), low, high);  // a sum that rounds to 1 has no quantile
}

template <class... Options>
DistributionFamily::Kinds distributions(KindList<Options...>) {
  return DistributionFamily::Kinds::of<Options...>([](const auto& o, Draws draws) { return draw(o, draws); });
}

}  // namespace

double normal_share(double low, double high) {
  return low > 0 ? normal_below(-low) - normal_below(-high) : normal_below(high) - normal_below(low);
}

double quantile(const ConstantOptions& options, double) { return options.value; }

double quantile(const UniformOptions& options, double u) { return options.low + (options.high - options.low) * u; }

double quantile(const NormalOptions& options, double u) {
  const double high = options.high.value_or(infinity);
  const double z = truncated_normal((options.low - options.mean) / options.sd, (high - options.mean) / options.sd, u);
  return std::clamp(options.mean + options.sd * z, options.low, high);
}

double quantile(const LognormalOptions& options, double u) {
  const double high = options.high.value_or(infinity);
  const double z = truncated_normal(std::log(options.low / options.median) / options.sigma,
                                    std::log(high / options.median) / options.sigma, u);
  return std::clamp(options.median * std::exp(options.sigma * z), options.low, high);
}

// Below, u expm1(-t) is minus the share u of what lies below `high`, t being the logarithm of 1/P(X > high).
double quantile(const ExponentialDrawOptions& options, double u) {
  const double high = options.high.value_or(infinity);
  const double below_high = std::expm1(-(high - options.offset) / options.mean);
  return std::min(options.offset - options.mean * std::log1p(u * below_high), high);
}

double quantile(const ParetoOptions& options, double u) {
  const double high = options.high.value_or(infinity);
  const double below_high = std::expm1(-options.shape * std::log(high / options.scale));
  return std::min(options.scale * std::exp(-std::log1p(u * below_high) / options.shape), high);
}

const DistributionFamily::Kinds& DistributionFamily::catalogue() {
  static const Kinds all = distributions(Distributions());
  return all;
}

}  // namespace lagnet
