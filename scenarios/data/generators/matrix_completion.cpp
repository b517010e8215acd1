#include "scenarios/data/generators/matrix_completion.hpp"

#include <fmt/format.h>

#include <utility>

#include "scenarios/data/storage.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

/// The true matrix, row by row (p^2).
Vector low_rank_truth(const MatrixCompletionOptions& options, std::uint64_t seed) {
  const Index p = options.size;
  Matrix U(p, options.rank), V(p, options.rank);
  Draws draws(seed, Purpose{"data.truth"});
  for (Index i = 0; i < U.size(); ++i) U.data()[i] = draws.normal();
  for (Index i = 0; i < V.size(); ++i) V.data()[i] = draws.normal();
  const Matrix transposed = V * U.transpose();  // columns of it are rows of the matrix
  Vector theta = VectorView(transposed.data(), transposed.size());
  theta *= options.omega / static_cast<double>(p) / theta.cwiseAbs().maxCoeff();
  return theta;
}

}  // namespace

DataSet load(const MatrixCompletionOptions& options, std::uint64_t seed) {
  const Index n = options.observations, p = options.size;
  const auto scale = static_cast<double>(p);
  Vector theta = low_rank_truth(options, seed);
  MatrixEntries entries;
  Vector y(n);
  Draws draws(seed, Purpose{"data.observations"});
  for (Index i = 0; i < n; ++i) {
    const auto row = static_cast<Index>(draws.below(static_cast<std::uint64_t>(p)));
    const auto column = static_cast<Index>(draws.below(static_cast<std::uint64_t>(p)));
    entries.add(i, row * p + column, scale);
    y[i] = scale * theta[row * p + column] + options.noise * draws.normal();
  }
  return {
      .X = entries.assemble(n, p * p, Storage::sparse, std::string(options.kind)),
      .y = std::move(y),
      .samples = n,
      .truth = std::move(theta),
      .shape = IterateShape::matrix(p, p),
      .origin = fmt::format("{}, {} entries of {} x {}, rank {}, seed {}", options.kind, n, p, p, options.rank, seed)};
}

}  // namespace lagnet
