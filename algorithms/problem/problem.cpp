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

constexpr const char* finite = "a finite number";

Diagnostic of_entry(const DataMatrix::Entry& entry, const std::string& expected) {
  return {.where = "X",
          .expected = expected,
          .found = fmt::format("{}", entry.value),
          .inside = fmt::format("row {}, column {}", entry.row, entry.column)};
}

Diagnostic of_label(const Vector& y, Index i, const std::string& expected) {
  return {.where = "y",
          .expected = expected,
          .found = fmt::format("{}", y[i]),
          .inside = fmt::format("sample {} of {}", i + 1, y.size())};
}

constexpr double largest_size = 1e150, least_size = 1e-150;

/// What is wrong with a number of this size among those of the largest size; nothing if its square is a double.
std::optional<std::string> size_problem(double size) {
  if (size > largest_size && std::isfinite(size))
    return fmt::format("a number of at most {:g}, since squares are added up", largest_size);
  if (size > 0 && size < least_size)
    return fmt::format("a number of at least {:g} somewhere, since squares are added up and all are smaller",
                       least_size);
  return std::nullopt;
}

/// The largest of the entries, by absolute value, that are finite; nothing if there is none.
std::optional<DataMatrix::Entry> largest_entry(const DataMatrix& X) {
  std::optional<DataMatrix::Entry> largest;
  const auto look = [&](Index i, Index j, double x) {
    if (std::isfinite(x) && (!largest || std::abs(x) > std::abs(largest->value))) largest = {i, j, x};
  };
  if (const auto by_rows = X.as_sparse_rows()) {  // which are not copied to columns for it
    for (Index i = 0; i < by_rows->outerSize(); ++i)
      for (SparseRowsView::InnerIterator entry(*by_rows, i); entry; ++entry) look(i, entry.col(), entry.value());
  } else if (const auto sparse = X.as_sparse()) {
    for (Index j = 0; j < sparse->outerSize(); ++j)
      for (SparseView::InnerIterator entry(*sparse, j); entry; ++entry) look(entry.row(), j, entry.value());
  } else if (const auto x = X.as_dense()) {
    for (Index j = 0; j < x->cols(); ++j)
      for (Index i = 0; i < x->rows(); ++i) look(i, j, (*x)(i, j));
  }
  return largest;
}

/// Objectives, steps and optima square what is given.
void add_sizes_without_squares(const DataMatrix& X, const Vector& y, std::vector<Diagnostic>& found) {
  if (const auto entry = largest_entry(X))
    if (const auto expected = size_problem(std::abs(entry->value))) found.push_back(of_entry(*entry, *expected));
  Index largest = 0;
  for (Index i = 1; i < y.size(); ++i)
    if (std::isfinite(y[i]) && !(std::abs(y[i]) <= std::abs(y[largest]))) largest = i;
  if (y.size() == 0) return;
  if (const auto expected = size_problem(std::abs(y[largest]))) found.push_back(of_label(y, largest, *expected));
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
  if (const auto entry = X->first_not_finite()) found.push_back(of_entry(*entry, finite));
  for (Index i = 0; i < y.size(); ++i) {
    if (std::isfinite(y[i])) continue;
    found.push_back(of_label(y, i, finite));
    break;
  }
  add_sizes_without_squares(*X, y, found);
  for (Index i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) continue;
    const auto expected = loss->label_problem(y[i]);
    if (!expected) continue;
    found.push_back(of_label(y, i, *expected));
    break;
  }
  return found;
}

}  // namespace lagnet
