#include "algorithms/problem/problem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/errors.hpp"

namespace lagnet {

double Problem::objective(VectorRef theta) const { return objective_of_scores(scores(theta), theta); }

double Problem::objective_of_scores(VectorRef scores_known, VectorRef theta) const {
  return loss->total(scores_known, y) / static_cast<double>(samples) + regularizer->value(theta);
}

std::vector<std::string> Problem::problems() const {
  LAGNET_CHECK(X && loss && regularizer, "a problem without data, loss or regularizer");
  std::vector<std::string> found;
  if (X->rows() < 1) found.push_back(fmt::format("X: expected at least 1 row (sample), found {}", X->rows()));
  if (X->cols() < 1) found.push_back(fmt::format("X: expected at least 1 column (feature), found {}", X->cols()));
  if (samples < 1) found.push_back(fmt::format("samples: expected at least 1, found {}", samples));
  if (shape.rows > 0 && shape.size() != dim())
    found.push_back(fmt::format("shape: expected {} x {} entries, {} for each column of X, found {} x {}", X->cols(),
                                loss->outputs(), loss->outputs(), shape.rows, shape.cols));
  if (!X->has_numbers()) return found;
  if (y.size() != X->rows()) {
    found.push_back(fmt::format("y: expected {} labels, one per row of X, found {}", X->rows(), y.size()));
  }
  if (const auto entry = X->first_not_finite()) {
    found.push_back(fmt::format("X: row {}, column {}: expected a finite number, found {}", entry->row, entry->column,
                                entry->value));
  }
  for (Index i = 0; i < y.size(); ++i) {
    if (std::isfinite(y[i])) continue;
    found.push_back(fmt::format("y: row {}: expected a finite number, found {}", i, y[i]));
    break;
  }
  for (Index i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) continue;
    const auto wrong = loss->label_problem(y[i]);
    if (!wrong) continue;
    found.push_back(fmt::format("y: row {}: {}", i, *wrong));
    break;
  }
  return found;
}

}  // namespace lagnet
