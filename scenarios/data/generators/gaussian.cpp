#include "scenarios/data/generators/gaussian.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {
constexpr Purpose purpose_X{"data.X"}, purpose_truth{"data.truth"}, purpose_noise{"data.noise"},
    purpose_flips{"data.flips"};

Matrix gaussian_matrix(Index samples, Index features, double scale, std::uint64_t seed) {
  Matrix X = DataMatrix::unfilled(samples, features);
  for (Index j = 0; j < features; ++j) X.col(j) = scale * gaussian_column(samples, j, seed);
  return X;
}

/// y = X theta + noise.
template <class Options>
DataSet linear_model(const Options& options, Matrix X, std::uint64_t seed) {
  Vector theta = gaussian_truth(options.features, options.nonzeros, seed);
  Vector y = X * theta;
  Draws noise(seed, purpose_noise);
  for (double& value : y) value += options.noise * noise.normal();
  return {.X = DataMatrix(std::move(X)),
          .y = std::move(y),
          .samples = options.samples,
          .truth = std::move(theta),
          .origin = fmt::format("{}, {} x {}, seed {}", options.kind, options.samples, options.features, seed)};
}
}  // namespace

Vector gaussian_column(Index samples, Index column, std::uint64_t seed) {
  Draws draws(seed, purpose_X, static_cast<AgentId>(column));
  Vector x(samples);
  for (double& value : x) value = draws.normal();
  return x;
}

Vector gaussian_truth(Index features, std::optional<std::int64_t> nonzeros, std::uint64_t seed) {
  LAGNET_CHECK(nonzeros.value_or(0) <= features, "{} non-zeros of {} coefficients", *nonzeros, features);
  Draws draws(seed, purpose_truth);
  Vector theta(features);
  for (double& value : theta) value = draws.normal();
  if (!nonzeros) return theta;
  // Which places stay is drawn after all the values: the values of those that stay are the same for any count.
  const auto order = draws.permutation(static_cast<std::uint32_t>(features));
  for (Index k = *nonzeros; k < features; ++k) theta[order[static_cast<std::size_t>(k)]] = 0;
  return theta;
}

DataSet load(const GaussianRegressionOptions& options, std::uint64_t seed) {
  Matrix X = gaussian_matrix(options.samples, options.features, options.scale, seed);
  for (Index j = 1; j < options.features && options.condition_number != 1; ++j)
    X.col(j) *=
        std::pow(options.condition_number, -0.5 * static_cast<double>(j) / static_cast<double>(options.features - 1));
  return linear_model(options, std::move(X), seed);
}

DataSet load(const GaussianClassificationOptions& options, std::uint64_t seed) {
  DataSet data = linear_model(options, gaussian_matrix(options.samples, options.features, options.scale, seed), seed);
  Draws flips(seed, purpose_flips);
  for (double& value : data.y) {
    const bool flipped = flips.bernoulli(options.label_flip_probability);
    value = (value >= 0) != flipped ? 1 : -1;
  }
  return data;
}

}  // namespace lagnet
