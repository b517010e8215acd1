#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/problem/problem.hpp"
#include "sim/base/draws.hpp"

/// Random problems for the tests of the central solvers.
namespace lagnet::testing {

inline Matrix normal_matrix(Index rows, Index cols, std::uint64_t seed) {
  Draws draws(seed, Purpose("matrix"));
  Matrix x(rows, cols);
  for (double& entry : x.reshaped()) entry = draws.normal();
  return x;
}

/// Labels X theta + noise of deviation 1 with coefficients 1, -1, 0, 1, -1, 0, ..
inline Vector noisy_labels(const Matrix& x, std::uint64_t seed) {
  Vector theta(x.cols());
  for (Index j = 0; j < x.cols(); ++j) theta[j] = j % 3 == 0 ? 1 : j % 3 == 1 ? -1 : 0;
  return x * theta + normal_matrix(x.rows(), 1, seed + 1000).col(0);
}

inline Problem make_problem(const Matrix& x, const Vector& y, std::shared_ptr<const Loss> loss,
                            std::shared_ptr<const Regularizer> regularizer) {
  return {std::make_shared<const DataMatrix>(x), y, x.rows(), std::move(loss), std::move(regularizer)};
}

inline std::vector<std::shared_ptr<const Loss>> all_losses() {
  return {make_loss(SquaredOptions{}),  make_loss(LogisticOptions{}), make_loss(HuberOptions{.threshold = 0.8}),
          make_loss(AbsoluteOptions{}), make_loss(HingeOptions{}),    make_loss(SmoothedHingeOptions{.gamma = 0.6})};
}

inline std::vector<std::shared_ptr<const Regularizer>> all_regularizers(double weight) {
  return {make_regularizer(NoneOptions{}), make_regularizer(L1Options{.weight = weight}),
          make_regularizer(L2Options{.weight = weight}),
          make_regularizer(ElasticNetOptions{.l1_weight = weight, .l2_weight = weight / 2})};
}

/// The labels as the loss wants them: their signs for losses of two classes.
inline Vector labels_for(const Loss& loss, const Vector& y) {
  if (!loss.label_problem(0.3)) return y;
  return y.unaryExpr([](double v) { return v > 0 ? 1.0 : -1.0; });
}

}  // namespace lagnet::testing
