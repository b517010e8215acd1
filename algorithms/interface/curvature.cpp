#include "algorithms/interface/curvature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

std::vector<double> shard_curvatures(const char* key, const MethodInput& given) {
  const auto smoothness = given.problem.loss->smoothness();
  if (!smoothness) throw OptionError(key, "a number above 0, since theory has none for a loss with kinks", "theory");
  const std::vector<Index>& starts = given.sample_starts;
  std::vector<double> all;  // rho |X_i|^2 / n_i
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Index n = starts[i + 1] - starts[i];
    const double norm = n == 0 ? 0 : spectral_norm(given.problem.X->row_range(starts[i], n));
    all.push_back(n == 0 ? 0 : *smoothness * (norm * norm / static_cast<double>(n)));
  }
  return all;
}

double largest_shard_curvature(const char* key, const MethodInput& given, const std::vector<double>& weights) {
  double largest = 0;
  std::size_t i = 0;
  for (const double of_shard : shard_curvatures(key, given))
    largest = std::max(largest, weights.empty() ? of_shard : weights[i++] * of_shard);
  if (!(largest > 0)) throw OptionError(key, "a number above 0, since data that are all 0 have no curvature", "theory");
  return largest;
}

namespace {

/// The least eigenvalue of A'A / n, A (n x d), or 0 where it cannot be told from 0.
double least_eigenvalue(const DataMatrix& A) {
  if (A.rows() < A.cols()) return 0;
  const auto eigenvalues = symmetric_eigenvalues(gram_of_columns(A, Vector::Ones(A.rows())));
  if (!eigenvalues) return 0;
  const double rounding = 1e-15 * static_cast<double>(A.cols()) * eigenvalues->tail<1>().value();
  const double least = (*eigenvalues)[0];
  return least > rounding ? least / static_cast<double>(A.rows()) : 0;
}

}  // namespace

FlattestShard flattest_shard(const MethodInput& given, const std::vector<double>& weights) {
  const std::vector<Index>& starts = given.sample_starts;
  std::optional<FlattestShard> found;
  for (AgentId i = 0; i + 1 < starts.size(); ++i) {
    const Index n = starts[i + 1] - starts[i];
    if (n == 0) continue;  // a server
    double least = 0;
    if (given.problem.loss->is_squared()) least = least_eigenvalue(given.problem.X->row_range(starts[i], n));
    if (!weights.empty()) least *= weights[i];
    if (!found || least < found->curvature) found = {i, least};
  }
  return found.value_or(FlattestShard{});
}

double strong_convexity(std::optional<double> mu, double L, double b, const MethodInput& given,
                        const std::vector<double>& weights) {
  if (mu) {
    if (positive("mu", *mu) > L) throw OptionError("L", "at least mu", fmt::format("{:.6g}", L));
    return *mu;
  }
  const FlattestShard flattest = flattest_shard(given, weights);
  if (!(flattest.curvature + b > 0))
    throw OptionError(
        "mu",
        fmt::format("above 0; agent {}'s part has least curvature 0: give mu, or an l2 regularizer", flattest.agent),
        "null");
  return flattest.curvature + b;
}

}  // namespace lagnet
