#include "tests/reference/fed_composite_problem.hpp"

#include <cmath>
#include <limits>

#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"

namespace lagnet::reference {

Tolerance fed_composite_tolerance(const Json& item) {
  Tolerance tolerance = tolerance_of(item);
  tolerance.floor = 1;
  return tolerance;
}

double number_or_infinity(const Json& object, const char* key) {
  if (!object.contains(key) || !object[key].is_number()) return std::numeric_limits<double>::infinity();
  return object[key].get<double>();
}

IterateShape shape_of(const Json& sizes) {
  if (sizes.size() == 1) return IterateShape::vector(sizes[0].get<Index>());
  return IterateShape::matrix(sizes.at(0).get<Index>(), sizes.at(1).get<Index>());
}

std::shared_ptr<const Regularizer> regularizer_of(const std::string& norm, double lambda, IterateShape shape) {
  if (norm == "nuclear") return make_regularizer(NuclearOptions{.weight = lambda}, shape);
  return make_regularizer(L1Options{.weight = lambda});
}

MethodInput assignment_of(const FedCompositeProblem& problem) {
  const Index columns = problem.softmax ? problem.shape.rows : problem.shape.size();
  MethodInput given{.sample_starts = {0, 0}};
  for (const Index n_k : problem.samples) given.sample_starts.push_back(given.sample_starts.back() + n_k);
  Matrix X(given.sample_starts.back(), columns);
  Vector y(X.rows());
  for (std::size_t client = 1; client + 1 < given.sample_starts.size(); ++client) {
    const Index first = given.sample_starts[client], k = static_cast<Index>(client) - 1;
    for (Index i = 0; i < given.sample_starts[client + 1] - first; ++i) {
      const double I = static_cast<double>(i), K = static_cast<double>(k);
      for (Index j = 0; j < columns; ++j) {
        const double J = static_cast<double>(j);
        X(first + i, j) = std::sin(1 + 7.3 * I + 3.1 * J + 0.9 * I * J + 1.7 * K);
      }
    }
    Matrix shard = X.middleRows(first, given.sample_starts[client + 1] - first);
    for (const MatrixChange& change : problem.changes) change(shard);
    X.middleRows(first, shard.rows()) = shard;
    for (Index i = 0; i < shard.rows(); ++i) {
      const double I = static_cast<double>(i), K = static_cast<double>(k);
      const double of_three = columns > 3 ? 1.5 * X(first + i, 3) : 0;
      y(first + i) = problem.softmax ? static_cast<double>((i * i + 2 * k) % problem.shape.cols)
                                     : std::cos(0.5 * I + 1.3 * K) + 0.8 + 2 * X(first + i, 0) - of_three;
    }
  }
  given.start = Vector::NullaryExpr(problem.shape.size(),
                                    [](Index j) { return 0.5 * std::cos(2.3 * static_cast<double>(j) + 0.4); });
  given.network.agents = std::ssize(given.sample_starts) - 1;
  given.problem = {
      .X = std::make_shared<const DataMatrix>(std::move(X)),
      .y = y,
      .samples = y.size(),
      .loss = problem.softmax ? make_loss(SoftmaxOptions{.classes = problem.shape.cols}) : make_loss(SquaredOptions{}),
      .regularizer = regularizer_of(problem.norm, problem.lambda, problem.shape),
      .shape = problem.shape};
  return given;
}

}  // namespace lagnet::reference
