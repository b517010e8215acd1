#include "algorithms/interface/curvature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/central/gram.hpp"
#include "algorithms/central/spectral_norm.hpp"
#include "sim/base/decompositions.hpp"

namespace lagnet {

double positive(const char* key, double value) {
  if (!(std::isfinite(value) && value > 0)) throw OptionError(key, "a number above 0", fmt::format("{}", value));
  return value;
}

double largest_curvature(std::optional<double> L, const MethodInput& given) {
  if (L) return positive("L", *L);
  const double norm = given.central->data_norm();
  if (!(norm > 0))
    throw OptionError("L", "a number above 0, since it cannot be taken from the data", "data that are all 0");
  return given.problem.loss->smoothness().value() * norm * norm / static_cast<double>(given.problem.samples);
}

double largest_shard_curvature(const char* key, const MethodInput& given, const std::vector<double>& weights) {
  const auto smoothness = given.problem.loss->smoothness();
  if (!smoothness) throw OptionError(key, "a number above 0, since theory has none for a loss with kinks", "theory");
  const std::vector<Index>& starts = given.sample_starts;
  double largest = 0;  // of w_i |X_i|^2 / n_i
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Index n = starts[i + 1] - starts[i];
    if (n == 0) continue;  // a server, or an empty shard
    const double norm = spectral_norm(given.problem.X->row_range(starts[i], n)), w = weights.empty() ? 1 : weights[i];
    largest = std::max(largest, w * norm * norm / static_cast<double>(n));
  }
  if (!(largest > 0)) throw OptionError(key, "a number above 0, since data that are all 0 have no curvature", "theory");
  return *smoothness * largest;
}

double smallest_shard_curvature(const MethodInput& given) {
  constexpr Index most_features = 512;  // whose eigenvalues take no time beside a run
  const Index d = given.problem.X->cols();
  if (!given.problem.loss->is_squared() || d > most_features) return 0;
  const std::vector<Index>& starts = given.sample_starts;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Index n = starts[i + 1] - starts[i];
    if (n == 0) continue;  // a server, or an empty shard
    if (n < d) return 0;   // there are coefficients that its samples do not tell of
    const DataMatrix X_i = given.problem.X->row_range(starts[i], n);
    const auto eigenvalues = symmetric_eigenvalues(gram_of_columns(X_i, Vector::Ones(n)));
    if (!eigenvalues) return 0;
    smallest = std::min(smallest, std::max(eigenvalues->head<1>().value(), 0.0) / static_cast<double>(n));
  }
  return std::isfinite(smallest) ? *given.problem.loss->smoothness() * smallest : 0;
}

}  // namespace lagnet
