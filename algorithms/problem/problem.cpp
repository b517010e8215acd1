#include "algorithms/problem/problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

double Problem::objective(VectorRef theta) const { return objective_of_scores(scores(theta), theta); }

double Problem::objective_of_scores(VectorRef scores_known, VectorRef theta) const {
  return loss->total(scores_known, y) / static_cast<double>(samples) + regularizer->value(theta);
}

Vector Problem::losses_of_shards(VectorRef theta, const std::vector<Index>& starts) const {
  const Vector all = scores(theta);
  const Index c = loss->outputs();
  Vector sums(static_cast<Index>(starts.size()) - 1);
  for (Index i = 0; i < sums.size(); ++i) {
    const Index first = starts[static_cast<std::size_t>(i)], n = starts[static_cast<std::size_t>(i) + 1] - first;
    sums[i] = loss->total(all.segment(first * c, n * c), y.segment(first, n));
  }
  return sums;
}

namespace {

Diagnostic not_finite(std::string where, double found) {
  return {std::move(where), "a finite number", fmt::format("{}", found)};
}

}  // namespace

std::vector<Diagnostic> Problem::diagnostics() const {
  LAGNET_CHECK(X && loss && regularizer, "a problem without data, loss or regularizer");
  std::vector<Diagnostic> found;
  const auto add = [&](const char* where, std::string expected, Index number) {
    found.push_back({where, std::move(expected), fmt::format("{}", number)});
  };
  if (X->rows() < 1) add("X", "at least 1 row (sample)", X->rows());
  if (X->cols() < 1) add("X", "at least 1 column (feature)", X->cols());
  if (samples < 1) add("samples", "at least 1", samples);
  if (shape.rows > 0 && shape.size() != dim())
    found.push_back(
        {"shape", fmt::format("{} x {} entries, {} for each column of X", X->cols(), loss->outputs(), loss->outputs()),
         fmt::format("{} x {}", shape.rows, shape.cols)});
  if (!X->has_numbers()) return found;
  if (y.size() != X->rows()) add("y", fmt::format("{} labels, one per row of X", X->rows()), y.size());
  if (const auto entry = X->first_not_finite())
    found.push_back(not_finite(fmt::format("X: row {}, column {}", entry->row, entry->column), entry->value));
  const auto sample = [this](Index i) { return fmt::format("y: sample {} of {}", i + 1, y.size()); };
  for (Index i = 0; i < y.size(); ++i) {
    if (std::isfinite(y[i])) continue;
    found.push_back(not_finite(sample(i), y[i]));
    break;
  }
  for (Index i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) continue;
    const auto expected = loss->label_problem(y[i]);
    if (!expected) continue;
    found.push_back({sample(i), *expected, fmt::format("{}", y[i])});
    break;
  }
  return found;
}

}  // namespace lagnet
