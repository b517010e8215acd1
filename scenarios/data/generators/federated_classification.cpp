#include "scenarios/data/generators/federated_classification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenarios/data/generators/gamma.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

/// Of independent normal entries, about `length` long (d).
Vector normal_vector(Index d, double length, Draws draws) {
  const double deviation = length / std::sqrt(static_cast<double>(d));
  Vector x(d);
  for (double& entry : x) entry = deviation * draws.normal();
  return x;
}

/// Sums of the first shares of a client's classes, 1 at the end (c).
Vector cumulative_shares(Index classes, double concentration, Draws draws) {
  Vector logs(classes);
  for (double& log : logs) log = log_gamma_draw(concentration, draws);
  Vector sums = (logs.array() - logs.maxCoeff()).exp().matrix();
  for (Index c = 1; c < classes; ++c) sums[c] += sums[c - 1];
  return sums / sums[classes - 1];
}

/// `samples` of each client, drawn for that purpose.
DataSet drawn_samples(const FederatedClassificationOptions& options, Index samples, Purpose purpose,
                      std::uint64_t seed) {
  const Index d = options.features, classes = options.classes;
  Matrix prototypes(d, classes);
  for (Index c = 0; c < classes; ++c)
    prototypes.col(c) =
        normal_vector(d, options.separation, Draws(seed, Purpose{"data.prototypes"}, static_cast<AgentId>(c)));
  Matrix X = DataMatrix::unfilled(options.clients * samples, d);
  Vector y(X.rows()), x(d);
  for (Index k = 0; k < options.clients; ++k) {
    const auto client = static_cast<AgentId>(k);
    const Vector style = normal_vector(d, options.style, Draws(seed, Purpose{"data.styles"}, client));
    const Vector shares =
        cumulative_shares(classes, options.concentration, Draws(seed, Purpose{"data.label_shares"}, client));
    for (Index i = 0; i < samples; ++i) {
      Draws draws(seed, purpose, client, i);
      const Index label = std::upper_bound(shares.begin(), shares.end() - 1, draws.uniform()) - shares.begin();
      for (Index j = 0; j < d; ++j)
        x[j] = options.scale * (prototypes(j, label) + style[j] + options.noise * draws.normal());
      X.row(k * samples + i) = x;
      y[k * samples + i] = static_cast<double>(label);
    }
  }
  return {.X = DataMatrix(std::move(X)),
          .y = std::move(y),
          .samples = options.clients * samples,
          .origin = fmt::format("{}, {} clients with {} samples, {} features, {} classes, seed {}", options.kind,
                                options.clients, samples, d, classes, seed)};
}

}  // namespace

DataSet load(const FederatedClassificationOptions& options, std::uint64_t seed) {
  return with_test_set(options.samples_per_client, options.test_samples_per_client,
                       [&](Index samples, Purpose purpose) { return drawn_samples(options, samples, purpose, seed); });
}

}  // namespace lagnet
