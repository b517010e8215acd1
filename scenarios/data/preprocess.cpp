#include "scenarios/data/preprocess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "scenarios/data/label_rules.hpp"
#include "scenarios/data/linear_model.hpp"
#include "scenarios/data/scaling.hpp"
#include "scenarios/data/storage.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {
constexpr Index dense_entries_max = Index{1} << 28;  // 2 GiB

/// These rows, ascending, and no others.
void keep_rows(DataSet& data, const std::vector<Index>& rows) {
  data.X = selected_rows(data.X, rows);
  data.y = Vector(data.y(rows));
  data.samples = std::ssize(rows);
  std::vector<Index> kept = rows;
  if (!data.kept.empty())
    for (Index& row : kept) row = data.kept[static_cast<std::size_t>(row)];
  data.kept = std::move(kept);
}

void keep_samples(DataSet& data, Index count, RowChoice choice, std::uint64_t seed) {
  if (count >= data.X.rows()) return;
  std::vector<Index> rows = index_range(0, data.X.rows());
  if (choice == RowChoice::random) {
    const auto order = Draws(seed, Purpose{"data.rows"}).permutation(static_cast<std::uint32_t>(data.X.rows()));
    rows.assign(order.begin(), order.begin() + count);
    std::sort(rows.begin(), rows.end());
  }
  rows.resize(static_cast<std::size_t>(count));
  keep_rows(data, rows);
  data.origin += fmt::format(", {} {} rows", choice == RowChoice::random ? "random" : "first", count);
}

/// How many rows are to be drawn for tests; 0 where none are.
Index test_rows(const PreprocessOptions& options, Index rows) {
  if (options.test_samples) return *options.test_samples;
  if (!options.test_fraction) return 0;
  return std::max<Index>(1, static_cast<Index>(std::llround(*options.test_fraction * static_cast<double>(rows))));
}

/// Moves `count` random rows into a test set.
void draw_test_set(DataSet& data, Index count, std::uint64_t seed) {
  if (count == 0) return;
  const Index n = data.X.rows();
  DataDiagnostics diagnostics(data.origin);
  if (data.test) diagnostics.add(0, "no test rows, since the data have a test set of their own", "some");
  if (count >= n)
    diagnostics.add(0, fmt::format("more than {} rows, since {} are for tests", count, count), fmt::format("{}", n));
  diagnostics.throw_if_any();
  const auto order = Draws(seed, Purpose{"data.test_rows"}).permutation(static_cast<std::uint32_t>(n));
  std::vector<Index> tests(order.begin(), order.begin() + count), others(order.begin() + count, order.end());
  std::sort(tests.begin(), tests.end());
  std::sort(others.begin(), others.end());
  DataSet test{.X = selected_rows(data.X, tests),
               .y = Vector(data.y(tests)),
               .samples = count,
               .truth = data.truth,
               .shape = data.shape,
               .origin = fmt::format("{}, {} random rows", data.origin, count)};
  data.test = std::make_shared<const DataSet>(std::move(test));
  keep_rows(data, others);
  data.origin += fmt::format(", less {} random rows for tests", count);
}

void check_scaling(const DataSet& data, Scaling scaling) {
  const bool densifies = scaling == Scaling::standardize || scaling == Scaling::minmax;
  if (!densifies || !data.X.is_sparse() || data.X.rows() * data.X.cols() <= dense_entries_max) return;
  refuse_data(data.origin, "a scaling that keeps sparse data sparse (max_abs, unit_rows)",
              fmt::format("one that makes {} x {} dense", data.X.rows(), data.X.cols()));
}

void scale(DataSet& data, const LearntScaling& learnt) {
  if (learnt.kind == Scaling::none) return;
  check_scaling(data, learnt.kind);
  data.X = scaled(data.X, learnt);
  if (learnt.kind == Scaling::max_abs && data.truth)
    *data.truth = (learnt.divisor.array() == 0).select(*data.truth, data.truth->cwiseProduct(learnt.divisor));
  else
    data.truth.reset();
  for (const auto& spelling : spellings(learnt.kind)) {
    if (spelling.value == learnt.kind) data.origin += fmt::format(", {}", spelling.name);
  }
}

void multiply(DataSet& data, double factor) {
  if (factor == 1) return;
  if (const auto dense = data.X.as_dense()) {
    data.X = DataMatrix(Matrix(*dense * factor));
  } else {
    data.X = DataMatrix(SparseMatrix(*data.X.as_sparse() * factor));
  }
  if (data.truth) *data.truth /= factor;
  data.origin += fmt::format(", times {}", factor);
}

/// What labels are shifted and divided by.
struct LearntLabels {
  double mean = 0, deviation = 1;
};

LearntLabels learn_label_scale(const DataSet& data, const PreprocessOptions& options) {
  if (!options.center_labels && !options.standardize_labels) return {};
  const double mean = data.y.mean();
  const Vector centered = (data.y.array() - mean).matrix();
  if (!options.standardize_labels) return {.mean = mean};
  const bool constant = data.y.minCoeff() == data.y.maxCoeff();
  const double deviation = std::sqrt(centered.squaredNorm() / static_cast<double>(data.y.size()));
  return {.mean = mean, .deviation = constant ? 1 : deviation};
}

void scale_labels(DataSet& data, const LearntLabels& learnt, const PreprocessOptions& options) {
  if (!options.center_labels && !options.standardize_labels) return;
  data.y.array() -= learnt.mean;
  if (options.standardize_labels) data.y /= learnt.deviation;
  data.truth.reset();
  data.origin += options.standardize_labels ? ", labels standardized" : ", labels centered";
}

void add_intercept(DataSet& data, double value) {
  const Index n = data.X.rows(), d = data.X.cols();
  if (data.shape.is_matrix) {
    refuse_data(data.origin, "no intercept where the coefficients are a matrix",
                fmt::format("{} x {} coefficients", data.shape.rows, data.shape.cols));
  }
  if (data.shape.rows > 0) data.shape = IterateShape::vector(d + 1);
  if (const auto dense = data.X.as_dense()) {
    Matrix X = DataMatrix::unfilled(n, d + 1);
    X << *dense, Vector::Constant(n, value);
    data.X = DataMatrix(std::move(X));
  } else {
    SparseMatrix X(n, d + 1);
    X.leftCols(d) = *data.X.as_sparse();
    X.rightCols(1) = Vector::Constant(n, value).sparseView();
    data.X = DataMatrix(std::move(X));
  }
  if (data.truth) {
    data.truth->conservativeResize(d + 1);
    (*data.truth)[d] = 0;
  }
  data.origin += value == 1 ? ", intercept" : fmt::format(", intercept {}", value);
}

DataSet shape_after(DataSet data, const PreprocessOptions& options) {
  const bool fewer = options.max_samples && *options.max_samples < data.X.rows();
  Index rows = fewer ? *options.max_samples : data.X.rows();
  rows -= std::min(test_rows(options, rows), rows - 1);
  if (rows < data.X.rows()) data.samples = rows;
  data.X = DataMatrix::of_shape(rows, data.X.cols() + (options.intercept ? 1 : 0));
  if (options.intercept && data.shape.rows > 0) data.shape = IterateShape::vector(data.X.cols());
  return data;
}

void check_rows(const DataSet& data, const PreprocessOptions& options) {
  const bool needs_rows = options.labels != LabelRule::as_is || options.max_samples || options.test_samples ||
                          options.test_fraction || options.scaling != Scaling::none || options.center_labels ||
                          options.standardize_labels || options.intercept;
  if (!needs_rows || data.samples == data.X.rows()) return;
  refuse_data(data.origin, "one row for each sample, or no preprocessing other than factor",
              fmt::format("{} samples reduced to {} rows", data.samples, data.X.rows()));
}
}  // namespace

DataSet preprocess(DataSet data, const PreprocessOptions& options, std::uint64_t seed) {
  check_rows(data, options);
  if (!data.X.has_numbers()) return shape_after(std::move(data), options);
  const auto labels = learn_labels(data, options);
  change_labels(data, labels, options);
  if (options.max_samples) keep_samples(data, *options.max_samples, options.choose_samples, seed);
  std::optional<DataSet> test;
  if (data.test) {
    test = *data.test;
    change_labels(*test, labels, options);
  }
  draw_test_set(data, test_rows(options, data.X.rows()), seed);
  if (data.test && !test) test = *data.test;
  data.test = nullptr;

  check_scaling(data, options.scaling);
  const LearntScaling scaling = learn_scaling(data.X, options.scaling);
  const LearntLabels label_scale = learn_label_scale(data, options);
  const auto finish = [&](DataSet& samples) {
    scale(samples, scaling);
    multiply(samples, options.factor);
    scale_labels(samples, label_scale, options);
    if (options.intercept) add_intercept(samples, options.intercept_value);
  };
  finish(data);
  data.learnt = std::make_shared<const LearntSteps>(
      LearntSteps{.scaling = scaling,
                  .factor = options.factor,
                  .has_intercept = options.intercept,
                  .intercept_value = options.intercept_value,
                  .label_mean = label_scale.mean,
                  .label_deviation = label_scale.deviation,
                  .labels = labels,
                  .read_as = data.learnt ? data.learnt->read_as : nullptr,
                  .doubts = data.learnt ? data.learnt->doubts : std::vector<std::string>()});
  if (!test) return data;
  finish(*test);
  data.test = std::make_shared<const DataSet>(std::move(*test));
  return data;
}

}  // namespace lagnet
