#include "scenarios/data/generators/sparse_regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "scenarios/data/generators/gaussian.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

Vector sparse_truth(const SparseRegressionOptions& options, std::uint64_t seed) {
  Vector theta = gaussian_truth(options.features, options.nonzeros, seed);
  if (options.values == TrueValues::ones) theta = (theta.array() != 0).cast<double>().matrix();
  if (options.values == TrueValues::power) {
    std::vector<Index> places;  // of the non-zeros, the largest first
    for (Index j = 0; j < theta.size(); ++j)
      if (theta[j] != 0) places.push_back(j);
    std::ranges::stable_sort(places, std::greater{}, [&](Index j) { return std::abs(theta[j]); });
    double k = 0;
    for (const Index j : places) theta[j] = std::copysign(std::pow(++k, -1 / options.q), theta[j]);
  }
  return theta;
}

Vector design_column(const SparseRegressionOptions& options, Index column, std::uint64_t seed) {
  Vector x = gaussian_column(options.samples, column, seed);
  if (options.design == Design::signs)
    for (double& entry : x) entry = std::copysign(1.0, entry);
  return x;
}

double variance_of(const SparseRegressionOptions& options, Index column) {
  if (options.condition_number == 1) return 1;
  const double share = static_cast<double>(column) / static_cast<double>(options.features - 1);
  return options.spacing == Spacing::linear ? 1 + share * (options.condition_number - 1)
                                            : std::pow(options.condition_number, share);
}

}  // namespace

DataSet load(const SparseRegressionOptions& options, std::uint64_t seed) {
  const Index n = options.samples, d = options.features;
  const double r = options.correlation, rest = std::sqrt(1 - r * r);
  Vector theta = sparse_truth(options, seed);
  Matrix X = DataMatrix::unfilled(n, d);
  Vector y = Vector::Zero(n);
  for (Index j = 0; j < d; ++j) {
    X.col(j) = std::sqrt(variance_of(options, j)) * design_column(options, j, seed);
    if (r != 0 && j > 0) X.col(j) = r * X.col(j - 1) + rest * X.col(j);
    if (theta[j] != 0) y += theta[j] * X.col(j);
  }
  Draws noise(seed, Purpose{"data.noise"});
  for (double& label : y) label += options.noise * noise.normal();
  return {.X = DataMatrix(std::move(X)),
          .y = std::move(y),
          .samples = n,
          .truth = std::move(theta),
          .shape = IterateShape::vector(d),
          .origin = fmt::format("{}, {} x {}, {} non-zeros, seed {}", options.kind, n, d, options.nonzeros, seed)};
}

}  // namespace lagnet
