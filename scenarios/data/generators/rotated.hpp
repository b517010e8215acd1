#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/generators/data_shape.hpp"
#include "sim/base/options.hpp"

/// Least squares sees the samples only through the Gram matrix of [X y], which no rotation of the rows changes. So n x
/// d data can be had as d+1 rows: with X = Q R, the rows [R; 0] and the labels [Q'y; |y - Q Q'y|] give the same |X
/// theta - y|^2 for every theta. Only for the squared loss; n stays the n of every 1/n factor (DataSet::samples).
namespace lagnet {

/// The reduced form in law of `gaussian_regression` with the same samples, features, noise and scale, made without the
/// n rows: R upper triangular with diagonal chi_{n-i}, i = 0 .. d-1, and N(0,1) above it (Bartlett, "On the theory of
/// statistical regression", 1933); labels [R theta + noise N(0,I); noise chi_{n-d}]; theta i.i.d. N(0,1).
struct RotatedRegressionOptions {
  std::int64_t samples = 0;
  std::int64_t features = 0;
  double noise = 1;
  double scale = 1;

  static constexpr std::string_view kind = "rotated_regression";
  static constexpr std::string_view summary =
      "gaussian_regression reduced exactly to features + 1 rows, for the squared loss only";
  static void fields(auto& self, auto& field) {
    field("samples", self.samples, "nominal number of samples n, above features", at_least(2).required());
    field("features", self.features, "number of columns d", at_least(1).required());
    field("noise", self.noise, "standard deviation of the noise on the labels", at_least(0));
    field("scale", self.scale, "factor on X", above(0));
  }
  DataShape shape() const { return {1.0 * samples, 1.0 * features + 1, 1.0 * features}; }
  void check(auto& report) const {
    if (samples <= features) report("samples", "more samples than features", samples);
  }
};

/// Options must be within their limits.
DataSet load(const RotatedRegressionOptions& options, std::uint64_t seed);

/// The reduced form of given data with more rows than columns, by Householder's QR with a non-negative diagonal of R.
/// Dense.
DataSet rotated(const DataSet& data);

}  // namespace lagnet
