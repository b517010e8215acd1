#pragma once

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/base/array.hpp"

/// Bounds with which tests hold generated data against the laws that they follow.
namespace lagnet::laws {

// A sample mean strays by more than five standard errors with probability 6e-7; seeds are fixed, so a test that passes
// once always passes.
constexpr double sigmas = 5;
constexpr double eps = 2.3e-16;  // of a rounding

inline double count(Index n) { return static_cast<double>(n); }

/// The largest distance of the sample's distribution function from the chi-square one of `degrees` degrees, over the
/// distance that the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart allows with probability 1 - 6e-7.
inline double distance_from_chi_square(std::vector<double> sample, Index degrees) {
  std::sort(sample.begin(), sample.end());
  const boost::math::chi_squared law(count(degrees));
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = cdf(law, sample[i]);
    distance = std::max({distance, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  return distance / std::sqrt(std::log(2 / 6e-7) / (2 * n));
}

}  // namespace lagnet::laws
