#include "scenarios/data/generators/sparse_regression.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "scenarios/data/generators/gaussian.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

Vector sparse_truth(const SparseRegressionOptions& options, std::uint64_t seed) {
  Vector theta = gaussian_truth(options.features, options.nonzeros, seed);
  if (options.values == TrueValues::ones) theta = (theta.array() != 0).cast<double>().matrix();
  return theta;
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
    X.col(j) = std::sqrt(variance_of(options, j)) * gaussian_column(n, j, seed);
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
