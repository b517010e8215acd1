#include "scenarios/data/generators/rotated.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "scenarios/data/generators/gamma.hpp"
#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"
#include "sim/numerics/decompositions.hpp"

namespace lagnet {

DataSet load(const RotatedRegressionOptions& options, std::uint64_t seed) {
  const Index n = options.samples, d = options.features;
  LAGNET_CHECK(n > d, "{} samples of {} features", n, d);
  Matrix R = Matrix::Zero(d + 1, d);
  for (Index j = 0; j < d; ++j) {
    Draws draws(seed, Purpose{"data.X"}, static_cast<AgentId>(j));
    for (Index i = 0; i < j; ++i) R(i, j) = options.scale * draws.normal();
    R(j, j) = options.scale * std::sqrt(chi_square(draws, n - j));
  }
  Vector theta = gaussian_truth(d, std::nullopt, seed);
  Vector y = R * theta;
  Draws draws(seed, Purpose{"data.noise"});
  for (Index i = 0; i < d; ++i) y[i] += options.noise * draws.normal();
  y[d] = options.noise * std::sqrt(chi_square(draws, n - d));
  return {.X = DataMatrix(std::move(R)),
          .y = std::move(y),
          .samples = n,
          .truth = std::move(theta),
          .origin = fmt::format("{}, {} x {}, seed {}", options.kind, n, d, seed)};
}

DataSet rotated(const DataSet& data) {
  const Index n = data.X.rows(), d = data.X.cols();
  if (n <= d) refuse_data(data.origin, "more rows than columns to rotate", fmt::format("{} x {}", n, d));
  const HouseholderQr qr = householder_qr(data.X.dense(), data.y);
  Matrix R = Matrix::Zero(d + 1, d);
  R.topRows(d) = qr.R;
  Vector y(d + 1);
  y << qr.Q_b.head(d), qr.Q_b.tail(n - d).norm();
  for (Index i = 0; i < d; ++i) {
    if (R(i, i) >= 0) continue;
    R.row(i) *= -1;
    y[i] *= -1;
  }
  return {.X = DataMatrix(std::move(R)),
          .y = std::move(y),
          .samples = data.samples,
          .truth = data.truth,
          .origin = data.origin + ", rows rotated"};
}

}  // namespace lagnet
