#pragma once

#include <cmath>
#include <optional>
#include <string_view>

#include "scenarios/json/choice.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/options.hpp"

/// Distributions of non-negative numbers. A number is the quantile function at one uniform draw (inversion), so it
/// grows with the draw: with the same draws, a distribution with larger quantiles gives larger numbers everywhere.
///
/// `low` and `high` truncate: the numbers are distributed as if those outside had been thrown away and drawn again.
/// An exponential truncated from below is one with an offset, and a Pareto one with a larger scale, so that these have
/// no `low`.
namespace lagnet {

struct ConstantOptions {
  static constexpr std::string_view kind = "constant";
  static constexpr std::string_view summary = "the same number everywhere";
  double value = 0;
  static void fields(auto& self, auto& field) { field("value", self.value, "the number", at_least(0).required()); }
};

struct UniformOptions {
  static constexpr std::string_view kind = "uniform";
  static constexpr std::string_view summary = "uniform between two numbers";
  double low = 0, high = 1;
  static void fields(auto& self, auto& field) {
    field("low", self.low, "the smallest number", at_least(0).required());
    field("high", self.high, "the largest number", at_least(0).required());
  }
  void check(auto& report) const {
    if (high < low) report("high", "at least low", high);
  }
};

/// The probability that a standard normal variable lies between two numbers; -infinity and infinity are allowed.
double normal_share(double low, double high);

/// Below this share of a distribution its truncation is taken for a mistake, and would be drawn from few digits.
constexpr double least_share = 1e-9;

struct NormalOptions {
  static constexpr std::string_view kind = "normal";
  static constexpr std::string_view summary = "normal (Gaussian), truncated to non-negative numbers";
  double mean = 0, sd = 1;
  double low = 0;
  std::optional<double> high;
  static void fields(auto& self, auto& field) {
    field("mean", self.mean, "mean before truncation", any_value().required());
    field("sd", self.sd, "standard deviation before truncation", above(0).required());
    field("low", self.low, "lower limit of the truncation", at_least(0));
    field("high", self.high, "upper limit of the truncation", at_least(0));
  }
  void check(auto& report) const {
    if (high && *high <= low) return report("high", "a number above low", *high);
    if (share() < least_share) report("low", "at least a billionth of the distribution from low to high", share());
  }
  double share() const { return normal_share((low - mean) / sd, high ? (*high - mean) / sd : HUGE_VAL); }
};

struct LognormalOptions {
  static constexpr std::string_view kind = "lognormal";
  static constexpr std::string_view summary = "lognormal: its logarithm is normal; a long tail";
  double median = 1, sigma = 1;
  double low = 0;
  std::optional<double> high;
  static void fields(auto& self, auto& field) {
    field("median", self.median, "median before truncation", above(0).required());
    field("sigma", self.sigma,
          "standard deviation of the natural logarithm: with 0.5, 95% lie within a factor of 2.7 of the median",
          above(0).required());
    field("low", self.low, "lower limit of the truncation", at_least(0));
    field("high", self.high, "upper limit of the truncation", above(0));
  }
  void check(auto& report) const {
    if (high && *high <= low) return report("high", "a number above low", *high);
    if (share() < least_share) report("low", "at least a billionth of the distribution from low to high", share());
  }
  double share() const {
    return normal_share(std::log(low / median) / sigma, high ? std::log(*high / median) / sigma : HUGE_VAL);
  }
};

struct ExponentialDrawOptions {
  static constexpr std::string_view kind = "exponential";
  static constexpr std::string_view summary = "an offset plus an exponential";
  double mean = 1;
  double offset = 0;
  std::optional<double> high;
  static void fields(auto& self, auto& field) {
    field("mean", self.mean, "mean beyond the offset, before truncation", above(0).required());
    field("offset", self.offset, "the smallest number", at_least(0));
    field("high", self.high, "upper limit of the truncation", at_least(0));
  }
  void check(auto& report) const {
    if (high && *high <= offset) report("high", "a number above offset", *high);
  }
};

struct ParetoOptions {
  static constexpr std::string_view kind = "pareto";
  static constexpr std::string_view summary = "Pareto: P(X > x) = (scale/x)^shape; a very long tail";
  double scale = 1, shape = 2;
  std::optional<double> high;
  static void fields(auto& self, auto& field) {
    field("scale", self.scale, "the smallest number", above(0).required());
    field("shape", self.shape, "the tail's exponent; a mean needs more than 1, a variance more than 2",
          above(0).required());
    field("high", self.high, "upper limit of the truncation", above(0));
  }
  void check(auto& report) const {
    if (high && *high <= scale) report("high", "a number above scale", *high);
  }
};

/// The quantile at u, 0 < u < 1.
double quantile(const ConstantOptions& options, double u);
double quantile(const UniformOptions& options, double u);
double quantile(const NormalOptions& options, double u);
double quantile(const LognormalOptions& options, double u);
double quantile(const ExponentialDrawOptions& options, double u);
double quantile(const ParetoOptions& options, double u);

/// Options structs as a list of types.
template <class... Options>
struct KindList {};

/// All distributions, one line each: they are in every catalogue of numbers that may be drawn.
// clang-format off
using Distributions = KindList<
    ConstantOptions,
    UniformOptions,
    NormalOptions,
    LognormalOptions,
    ExponentialDrawOptions,
    ParetoOptions>;
// clang-format on

/// One number, from the first draw.
template <class Options>
double draw(const Options& options, Draws draws) {
  return quantile(options, draws.uniform());
}

/// A number that may differ from link to link or agent to agent: each takes one draw.
struct DistributionFamily {
  static constexpr std::string_view key = "kind", called = "distribution", number_kind = "constant",
                                    number_key = "value";
  using Kinds = Catalogue<double, Draws>;
  static const Kinds& catalogue();
};

/// The smallest and the largest number that a distribution can give.
struct Extremes {
  double low = 0;
  double high = 0;
};

/// Unbounded distributions have them, too, since Draws::uniform() lies between 2^-53 and 1 - 2^-53: a normal variable
/// is at most 8.2 standard deviations above its mean, an exponential one at most 36.7 means.
template <class Options>
Extremes extremes(const Options& options) {
  return {quantile(options, 0x1p-53), quantile(options, 1 - 0x1p-53)};
}
inline Extremes extremes(const UniformOptions& options) { return {options.low, options.high}; }

/// The extremes of a choice that is a distribution, from any catalogue; nothing for other kinds.
template <class Family, class... Options>
std::optional<Extremes> extremes_among(const Choice<Family>& numbers, KindList<Options...>) {
  std::optional<Extremes> found;
  const auto look = [&](const auto* options) {
    if (options) found = extremes(*options);
  };
  (look(numbers.template options_as<Options>()), ...);
  return found;
}

/// Reports a distribution that could give a number beyond the limits, even if this seed draws none.
template <class Family>
void check_bounds(CheckReport& report, std::string_view key, const Choice<Family>& numbers, const Limits& limits) {
  const auto found = extremes_among(numbers, Distributions());
  if (!found || (limits.contains(found->low) && limits.contains(found->high))) return;
  const double wrong = limits.contains(found->low) ? found->high : found->low;
  const std::string expected = "numbers " + limits_words(limits);
  if (std::isfinite(wrong))
    report(key, expected, wrong);
  else
    report(key, expected, "infinity");  // which JSON cannot show
}

}  // namespace lagnet
