#include "scenarios/data/generators/federated_regression.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

/// What both kinds are made from.
struct Recipe {
  Index clients = 0;
  double correlation = 0, shift = 1, noise = 1;
  Vector truth;        // w*, or W* row by row (p)
  IterateShape shape;  // of it
  std::string_view kind;
};

/// `samples` of each client, drawn for that purpose.
DataSet drawn_samples(const Recipe& recipe, Index samples, Purpose purpose, std::uint64_t seed) {
  const Index p = recipe.truth.size();
  const double r = recipe.correlation, rest = std::sqrt(1 - r * r);
  Matrix X = DataMatrix::unfilled(recipe.clients * samples, p);
  Vector y(X.rows()), delta(p), x(p);
  for (Index k = 0; k < recipe.clients; ++k) {
    Draws of_client(seed, Purpose{"data.shift"}, static_cast<AgentId>(k));
    for (double& entry : delta) entry = recipe.shift * of_client.normal();
    for (Index i = 0; i < samples; ++i) {
      Draws draws(seed, purpose, static_cast<AgentId>(k), i);
      double z = draws.normal();
      x[0] = delta[0] + z;
      for (Index j = 1; j < p; ++j) {
        z = r * z + rest * draws.normal();
        x[j] = delta[j] + z;
      }
      X.row(k * samples + i) = x;
      y[k * samples + i] = x.dot(recipe.truth) + recipe.noise * draws.normal();
    }
  }
  return {.X = DataMatrix(std::move(X)),
          .y = std::move(y),
          .samples = recipe.clients * samples,
          .truth = recipe.truth,
          .shape = recipe.shape,
          .origin = fmt::format("{}, {} clients with {} samples, {} features, seed {}", recipe.kind, recipe.clients,
                                samples, p, seed)};
}

DataSet drawn(const Recipe& recipe, Index samples, Index test_samples, std::uint64_t seed) {
  DataSet data = drawn_samples(recipe, samples, Purpose{"data.samples"}, seed);
  if (test_samples > 0)
    data.test =
        std::make_shared<const DataSet>(drawn_samples(recipe, test_samples, Purpose{"data.test_samples"}, seed));
  return data;
}

}  // namespace

DataSet load(const FederatedRegressionOptions& options, std::uint64_t seed) {
  Vector truth = Vector::Zero(options.features);
  truth.head(options.nonzeros).setOnes();
  const Recipe recipe{.clients = options.clients,
                      .correlation = options.correlation,
                      .shift = options.shift,
                      .noise = options.noise,
                      .truth = std::move(truth),
                      .shape = IterateShape::vector(options.features),
                      .kind = options.kind};
  return drawn(recipe, options.samples_per_client, options.test_samples_per_client, seed);
}

DataSet load(const LowRankRegressionOptions& options, std::uint64_t seed) {
  Vector truth = Vector::Zero(options.rows * options.columns);
  for (Index i = 0; i < options.rank; ++i) truth[i * options.columns + i] = 1;
  const Recipe recipe{.clients = options.clients,
                      .correlation = 0,
                      .shift = options.shift,
                      .noise = options.noise,
                      .truth = std::move(truth),
                      .shape = IterateShape::matrix(options.rows, options.columns),
                      .kind = options.kind};
  return drawn(recipe, options.samples_per_client, options.test_samples_per_client, seed);
}

}  // namespace lagnet
