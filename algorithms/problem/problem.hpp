#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/objectives/constraint.hpp"
#include "algorithms/objectives/iterate_shape.hpp"
#include "algorithms/objectives/loss.hpp"
#include "algorithms/objectives/prox.hpp"
#include "algorithms/problem/data_matrix.hpp"
#include "sim/base/array.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

/// minimize over theta in R^d   F(theta) = (1/samples) sum_i l(x_i' theta, y_i) + r(theta),   x_i' the rows of X. Where
/// the loss has c scores per sample, theta is a d x c matrix W and they are x_i' W. Source: Ancelin, Bahmani, Romberg
/// (2021), equations (1)-(2).
struct Problem {
  std::shared_ptr<const DataMatrix> X;  // one sample a row (n x d)
  Vector y;                             // labels (n)
  /// The n of the factor 1/n. It differs from X's rows where orthogonal transformations have compressed the rows of a
  /// least-squares problem, which changes neither the sum nor the minimizer.
  Index samples = 0;
  std::shared_ptr<const Loss> loss;
  std::shared_ptr<const Regularizer> regularizer;
  std::shared_ptr<const Constraint> constraint = nullptr;  // null: theta may be anywhere
  IterateShape shape = {};                                 // of theta; without rows: a vector, one entry a column of X

  /// Entries of theta: a column of X has one, or c.
  Index dim() const { return X->cols() * loss->outputs(); }
  Vector scores(VectorRef theta) const { return X->times(theta, loss->outputs()); }  // X theta (n), or (n c)
  /// Its transpose: sum_i lam_i x_i, lam (n), or (n c) -> (dim).
  Vector pulled_back(VectorRef lam) const { return X->transpose_times(lam, loss->outputs()); }
  double objective(VectorRef theta) const;  // theta (dim)
  /// The same with X theta known; scores (n), or (n c).
  double objective_of_scores(VectorRef scores_known, VectorRef theta) const;

  /// The sum of the losses of each shard, rows starts[i] .. starts[i+1] - 1 (starts.size() - 1).
  Vector losses_of_shards(VectorRef theta, const std::vector<Index>& starts) const;

  /// All problems of the data; empty if there are none. Rows and columns are numbered from 0. X, loss and regularizer
  /// must be set.
  std::vector<Diagnostic> diagnostics() const;
};

}  // namespace lagnet
