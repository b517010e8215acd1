#include "algorithms/interface/curvature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/central/gram.hpp"
#include "sim/numerics/decompositions.hpp"

namespace lagnet {

double positive(const char* key, double value) {
  if (!(std::isfinite(value) && value > 0)) throw Diagnosed(key, "a number above 0", fmt::format("{}", value));
  return value;
}

double largest_curvature(std::optional<double> L, const MethodInput& given) {
  if (L) return positive("L", *L);
  const double norm = given.central->data_norm();
  if (!(norm > 0))
    throw Diagnosed("L", "a number above 0, since it cannot be taken from the data", "data that are all 0");
  return given.problem.loss->smoothness().value() * norm * norm / static_cast<double>(given.problem.samples);
}

namespace {

/// As known already, or computed and then known.
template <class Compute>
double known_or(const MethodInput& given, std::map<std::size_t, double> ShardSpectra::*which, std::size_t agent,
                const Compute& compute) {
  if (!given.spectra) return compute();
  std::map<std::size_t, double>& known = (*given.spectra).*which;
  const auto found = known.find(agent);
  return found != known.end() ? found->second : known.emplace(agent, compute()).first->second;
}

}  // namespace

std::vector<double> shard_curvatures(const char* key, const MethodInput& given) {
  const auto smoothness = given.problem.loss->smoothness();
  if (!smoothness)
    throw Diagnosed(key,
                    fmt::format("a number above 0, since theory has none for a loss {}",
                                given.problem.loss->may_be_smooth() ? "that states no smoothness" : "with kinks"),
                    "theory");
  const std::vector<Index>& starts = given.sample_starts;
  std::vector<double> all;  // rho |X_i|^2 / n_i
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Index n = starts[i + 1] - starts[i];
    const double norm = n == 0 ? 0 : known_or(given, &ShardSpectra::norms, i, [&] {
      return spectral_norm(given.problem.X->row_range(starts[i], n));
    });
    all.push_back(n == 0 ? 0 : *smoothness * (norm * norm / static_cast<double>(n)));
  }
  return all;
}

double curvature_of(const Regularizer& regularizer) {
  return regularizer.smoothness().value_or(regularizer.l2_weight().value_or(0));
}

void need_gradient(const Loss& loss, std::string_view kind) {
  if (loss.smoothness()) return;
  throw Diagnosed("kind",
                  loss.may_be_smooth()
                      ? "an algorithm that does not need to know how smooth the loss is, or its smoothness, the "
                        "Lipschitz constant of its derivative in the score"
                      : "an algorithm that needs no gradient, which this loss does not have everywhere "
                        "(smoothed_hinge and huber have it)",
                  std::string(kind));
}

void need_second_derivative(const Loss& loss, std::string_view kind) {
  if (loss.has_second_derivative() && loss.outputs() == 1) return;
  throw Diagnosed("kind", fmt::format("a loss of one score with second derivatives (squared, logistic) for {}", kind),
                  std::string(loss.kind()));
}

double largest_shard_curvature(const char* key, const MethodInput& given, const std::vector<double>& weights) {
  double largest = 0;
  std::size_t i = 0;
  for (const double of_shard : shard_curvatures(key, given))
    largest = std::max(largest, weights.empty() ? of_shard : weights[i++] * of_shard);
  if (!(largest > 0)) throw Diagnosed(key, "a number above 0, since data that are all 0 have no curvature", "theory");
  return largest;
}

double least_gram_eigenvalue(const DataMatrix& X) {
  const Index n = X.rows(), d = X.cols();
  if (n < d) return 0;
  const Matrix lower = gram_of_columns(X, Vector::Constant(n, 1 / static_cast<double>(n)));
  const Matrix gram = lower.selfadjointView<Eigen::Lower>();
  const auto values = symmetric_eigenvalues(gram);
  if (!values) return 0;
  const double rounding = static_cast<double>(d) * std::numeric_limits<double>::epsilon() * (*values)[d - 1];
  return (*values)[0] > rounding ? (*values)[0] : 0;
}

LeastCurvature least_shard_curvature(const MethodInput& given, const std::vector<double>& weights) {
  const std::vector<Index>& starts = given.sample_starts;
  const bool is_squared = given.problem.loss->is_squared();
  LeastCurvature least{std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Index n = starts[i + 1] - starts[i];
    if (n == 0) continue;  // a server, or an empty shard
    const double own = !is_squared ? 0 : known_or(given, &ShardSpectra::least_eigenvalues, i, [&] {
      return least_gram_eigenvalue(given.problem.X->row_range(starts[i], n));
    });
    const double weighted = own * (weights.empty() ? 1 : weights[i]);
    if (weighted < least.value) least = {weighted, static_cast<AgentId>(i)};
    if (!is_squared) break;  // all are alike
  }
  return least;
}

double need_strong_convexity(const LeastCurvature& least, double square, const char* found) {
  if (!(least.value + square > 0))
    throw Diagnosed(
        "mu", fmt::format("above 0; agent {}'s part has least curvature 0: give mu, or an l2 regularizer", least.agent),
        found);
  return least.value + square;
}

}  // namespace lagnet
