#include "scenarios/format/kinds/distributions.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <vector>

#include "scenarios/format/compute_options.hpp"

namespace lagnet::distributions_test {

namespace {

constexpr std::array shares{0x1p-53, 1e-9, 0.001, 0.025, 0.25, 0.5, 0.75, 0.975, 0.999, 1 - 1e-9, 1 - 0x1p-53};

/// Increasing in u, within the extremes, and the inverse of a distribution function. `tolerance` is relative to the
/// smaller of u and 1 - u.
template <class Options>
void check_inverse(const Options& options, const std::function<double(double)>& below, double tolerance) {
  double last = extremes(options).low;
  for (const double u : shares) {
    INFO("u = " << u);
    const double x = quantile(options, u);
    CHECK(x >= last);
    CHECK(x <= extremes(options).high);
    last = x;
    if (u < 1e-8 || u > 1 - 1e-8) continue;  // where the distribution function itself has lost its digits
    CHECK(below(x) == Approx(u).epsilon(0).margin(tolerance * std::min(u, 1 - u)));
  }
}

double phi(double z) { return 0.5 * std::erfc(-z / std::sqrt(2)); }

/// Mean of many draws, each an agent's.
template <class Options>
double sample_mean(const Options& options, AgentId count) {
  double sum = 0;
  for (AgentId a = 0; a < count; ++a) sum += draw(options, Draws(1, Purpose{"sample"}, a));
  return sum / count;
}

/// The problems that a distribution's keys have, one a line.
std::string problems_of(const std::string& text) {
  Diagnostics problems("f");
  Choice<DistributionFamily> numbers;
  numbers.read(Json::parse(text), "/x", problems);
  return problems.text();
}

}  // namespace

// The distribution functions below are closed forms; 1e-9 relative leaves room for the digits that 1 - u and 1 - F(x)
// lose at the ends tested (u and 1 - u from 0.001 on: 1e-13) and for the conditioning of exp and pow there.

TEST_CASE("each distribution is the inverse of its distribution function") {
  check_inverse(
      UniformOptions{.low = 2, .high = 6}, [](double x) { return (x - 2) / 4; }, 1e-9);
  // Ten standard deviations above 0, truncation takes nothing that a double could show.
  check_inverse(
      NormalOptions{.mean = 30, .sd = 3, .high = {}}, [](double x) { return phi((x - 30) / 3); }, 1e-9);
  check_inverse(
      LognormalOptions{.median = 20, .sigma = 0.5, .high = {}}, [](double x) { return phi(std::log(x / 20) / 0.5); },
      1e-9);
  check_inverse(
      ExponentialDrawOptions{.mean = 4, .offset = 10, .high = {}}, [](double x) { return -std::expm1(-(x - 10) / 4); },
      1e-9);
  check_inverse(
      ParetoOptions{.scale = 5, .shape = 1.5, .high = {}}, [](double x) { return 1 - std::pow(5 / x, 1.5); }, 1e-9);
}

TEST_CASE("a truncated distribution is the conditional one") {
  const auto given = [](const std::function<double(double)>& below, double low, double high) {
    return [=](double x) { return (below(x) - below(low)) / (below(high) - below(low)); };
  };
  check_inverse(NormalOptions{.mean = 1, .sd = 2, .low = 0.5, .high = 4},
                given([](double x) { return phi((x - 1) / 2); }, 0.5, 4), 1e-9);
  check_inverse(LognormalOptions{.median = 20, .sigma = 1, .low = 10, .high = 50},
                given([](double x) { return phi(std::log(x / 20)); }, 10, 50), 1e-9);
  check_inverse(ExponentialDrawOptions{.mean = 4, .offset = 10, .high = 13},
                given([](double x) { return -std::expm1(-(x - 10) / 4); }, 10, 13), 1e-9);
  check_inverse(ParetoOptions{.scale = 5, .shape = 1.5, .high = 8},
                given([](double x) { return 1 - std::pow(5 / x, 1.5); }, 5, 8), 1e-9);
}

TEST_CASE("truncation far out in the upper tail keeps its digits") {
  // P(X > x | X > 5) from the complementary error function, in which nothing cancels.
  const NormalOptions options{.mean = 0, .sd = 1, .low = 5, .high = {}};
  for (const double u : {0.001, 0.25, 0.5, 0.75, 0.999})
    CHECK(std::erfc(quantile(options, u) / std::sqrt(2)) / std::erfc(5 / std::sqrt(2)) ==
          Approx(1 - u).epsilon(1e-12));  // the condition number x^2 of erfc, about 30, times a few roundings
  CHECK(extremes(options).low >= 5);
}

TEST_CASE("medians and means are those of the closed forms") {
  CHECK(quantile(LognormalOptions{.median = 20, .sigma = 0.5, .high = {}}, 0.5) == 20);
  CHECK(quantile(NormalOptions{.mean = 30, .sd = 3, .high = {}}, 0.5) == Approx(30).epsilon(1e-15));
  // log 2 and the square root of 2, to a rounding of log1p, exp and their product each.
  CHECK(quantile(ExponentialDrawOptions{.mean = 4, .high = {}}, 0.5) == Approx(4 * std::log(2)).epsilon(1e-15));
  CHECK(quantile(ParetoOptions{.scale = 3, .shape = 2, .high = {}}, 0.5) == Approx(3 * std::sqrt(2)).epsilon(1e-15));

  constexpr AgentId count = 40'000;  // bounds: five standard deviations of the mean
  const double n = count;
  CHECK(std::abs(sample_mean(UniformOptions{.low = 1, .high = 3}, count) - 2) < 5 * std::sqrt(4.0 / 12 / n));
  CHECK(std::abs(sample_mean(ExponentialDrawOptions{.mean = 4, .offset = 10, .high = {}}, count) - 14) <
        5 * 4 / std::sqrt(n));
  // Mean exp(s^2/2), variance (exp(s^2) - 1) exp(s^2).
  const double s2 = 0.25;
  CHECK(std::abs(sample_mean(LognormalOptions{.median = 1, .sigma = 0.5, .high = {}}, count) - std::exp(s2 / 2)) <
        5 * std::sqrt(std::expm1(s2) * std::exp(s2) / n));
  // Pareto of shape 4 and scale 3: mean 4, variance 3^2 * 4 / (3^2 * 2) = 2.
  CHECK(std::abs(sample_mean(ParetoOptions{.scale = 3, .shape = 4, .high = {}}, count) - 4) < 5 * std::sqrt(2 / n));
  // Half a normal: mean sqrt(2/pi), variance 1 - 2/pi.
  const double half = 2 / std::acos(-1);
  CHECK(std::abs(sample_mean(NormalOptions{.mean = 0, .sd = 1, .high = {}}, count) - std::sqrt(half)) <
        5 * std::sqrt((1 - half) / n));
}

TEST_CASE("a distribution takes the first uniform draw") {
  const Draws draws(7, Purpose{"latency"}, 3, 4);
  Draws copy = draws;
  const double u = copy.uniform();
  CHECK(draw(UniformOptions{.low = 5, .high = 50}, draws) == 5 + 45 * u);
  CHECK(draw(ExponentialDrawOptions{.mean = 2, .high = {}}, draws) == -2 * std::log1p(-u));
}

TEST_CASE("extremes are the results of the least and the largest draw") {
  CHECK(extremes(ConstantOptions{.value = 3}).low == 3);
  CHECK(extremes(UniformOptions{.low = 2, .high = 9}).high == 9);
  // -log(2^-53) = 53 log 2, to a rounding.
  CHECK(extremes(ExponentialDrawOptions{.mean = 1, .offset = 5, .high = {}}).high ==
        Approx(5 + 53 * std::log(2)).epsilon(1e-15));
  CHECK(extremes(ParetoOptions{.scale = 5, .shape = 53, .high = {}}).high == Approx(10).epsilon(1e-14));
  CHECK(extremes(ParetoOptions{.scale = 5, .shape = 1, .high = 7}).high == Approx(7).epsilon(1e-14));
  CHECK(extremes(NormalOptions{.mean = 1, .sd = 2, .low = 1, .high = 2}).low == Approx(1).epsilon(1e-14));
}

TEST_CASE("a distribution that reaches beyond the limits is reported with its extreme") {
  const auto said = [](const Choice<DistributionFamily>& numbers, const Limits& limits) {
    Diagnostics problems("f");
    CheckReport report("/network", problems);
    check_bounds(report, "latency_ms", numbers, limits);
    return problems.text();
  };
  const Choice<DistributionFamily> uniform(UniformOptions{.low = 0.5, .high = 2});
  CHECK(said(uniform, at_least(1)) == "f: /network/latency_ms: expected numbers at least 1, found 0.5");
  CHECK(said(uniform, within(0, 1)) == "f: /network/latency_ms: expected numbers from 0 to 1, found 2.0");
  CHECK(said(uniform, at_least(0.5)) == "");
  const Choice<DistributionFamily> endless(ParetoOptions{.scale = 1, .shape = 0.01, .high = {}});
  CHECK(said(endless, within(0, 9)) == "f: /network/latency_ms: expected numbers from 0 to 9, found infinity");
  CHECK(said(Choice<DistributionFamily>(ParetoOptions{.scale = 1, .shape = 0.01, .high = 9}), within(0, 9)) == "");
  // A lognormal needs no truncation to stay above 1: its least draw is 8.2 sigmas down.
  CHECK(said(Choice<DistributionFamily>(LognormalOptions{.median = 1e9, .sigma = 1, .high = {}}), at_least(1)) == "");
  CHECK(extremes_among(Choice<SpeedFamily>(SpeedListOptions{.values = {1}}), Distributions()) == std::nullopt);
}

TEST_CASE("distributions say which of their keys contradict each other") {
  CHECK(problems_of(R"({"kind": "normal", "mean": 1, "sd": 1, "low": 3, "high": 2})") ==
        "f: /x/high: expected a number above low, found 2.0");
  CHECK(problems_of(R"({"kind": "normal", "mean": -50, "sd": 1})") ==
        "f: /x/low: expected at least a billionth of the distribution from low to high, found 0.0");
  CHECK(problems_of(R"({"kind": "lognormal", "median": 1, "sigma": 0.5, "low": 3, "high": 3})") ==
        "f: /x/high: expected a number above low, found 3.0");
  CHECK(problems_of(R"({"kind": "exponential", "mean": 1, "offset": 2, "high": 2})") ==
        "f: /x/high: expected a number above offset, found 2.0");
  CHECK(problems_of(R"({"kind": "pareto", "scale": 3, "shape": 0, "high": 2})") ==
        "f: /x/shape: expected a number above 0, found 0");
  CHECK(problems_of(R"({"kind": "pareto", "scale": 3, "shape": 1, "high": 2})") ==
        "f: /x/high: expected a number above scale, found 2.0");
}

}  // namespace lagnet::distributions_test
