#include "scenarios/data/generators/federated_regression.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

/// Of either kind of options, with the truth w*, or W* row by row (p), of this shape, and features correlated by r
/// within a client.
template <class Options>
DataSet drawn(const Options& options, const Vector& truth, IterateShape shape, double r, std::uint64_t seed) {
  return with_test_set(options.samples_per_client, options.test_samples_per_client,
                       [&](Index samples, Purpose purpose) {
                         const Index p = truth.size();
                         const double rest = std::sqrt(1 - r * r);
                         Matrix X = DataMatrix::unfilled(options.clients * samples, p);
                         Vector y(X.rows()), delta(p), x(p);
                         for (Index k = 0; k < options.clients; ++k) {
                           Draws of_client(seed, Purpose{"data.shift"}, static_cast<AgentId>(k));
                           for (double& entry : delta) entry = options.shift * of_client.normal();
                           for (Index i = 0; i < samples; ++i) {
                             Draws draws(seed, purpose, static_cast<AgentId>(k), i);
                             double z = draws.normal();
                             x[0] = delta[0] + z;
                             for (Index j = 1; j < p; ++j) {
                               z = r * z + rest * draws.normal();
                               x[j] = delta[j] + z;
                             }
                             X.row(k * samples + i) = x;
                             y[k * samples + i] = x.dot(truth) + options.noise * draws.normal();
                           }
                         }
                         return DataSet{.X = DataMatrix(std::move(X)),
                                        .y = std::move(y),
                                        .samples = options.clients * samples,
                                        .truth = truth,
                                        .shape = shape,
                                        .origin = fmt::format("{}, {} clients with {} samples, {} features, seed {}",
                                                              options.kind, options.clients, samples, p, seed)};
                       });
}

}  // namespace

DataSet load(const FederatedRegressionOptions& options, std::uint64_t seed) {
  Vector truth = Vector::Zero(options.features);
  truth.head(options.nonzeros).setOnes();
  return drawn(options, truth, IterateShape::vector(options.features), options.correlation, seed);
}

DataSet load(const LowRankRegressionOptions& options, std::uint64_t seed) {
  Vector truth = Vector::Zero(options.rows * options.columns);
  for (Index i = 0; i < options.rank; ++i) truth[i * options.columns + i] = 1;
  return drawn(options, truth, IterateShape::matrix(options.rows, options.columns), 0, seed);
}

}  // namespace lagnet
