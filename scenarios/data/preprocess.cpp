#include "scenarios/data/preprocess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "scenarios/data/data_problems.hpp"
#include "scenarios/data/scaling.hpp"
#include "sim/draws.hpp"

namespace lagnet {

namespace {
constexpr Index dense_entries_max = Index{1} << 28;  // 2 GiB
constexpr std::size_t labels_shown_max = 10;

std::string listed(const std::set<double>& labels) {
  std::string text = fmt::format("{}: ", labels.size());
  auto label = labels.begin();
  for (std::size_t i = 0; i < std::min(labels.size(), labels_shown_max); ++i) {
    text += fmt::format("{}{}", i > 0 ? ", " : "", *label++);
  }
  return labels.size() > labels_shown_max ? text + ", ..." : text;
}

void sign_labels(DataSet& data) {
  const std::set<double> labels(data.y.begin(), data.y.end());
  if (labels.size() != 2) {
    DataProblems problems(data.origin);
    problems.add(0, "exactly two different labels for labels sign", listed(labels));
    problems.throw_if_any();
  }
  const double low = *labels.begin(), high = *labels.rbegin();
  if (low == -1 && high == 1) return;
  for (double& label : data.y) label = label == high ? 1 : -1;
  data.origin += fmt::format(", labels {} to -1 and {} to 1", low, high);
  data.truth.reset();
}

void map_labels(DataSet& data, const std::vector<LabelPair>& pairs) {
  std::map<double, double> becomes;
  for (const LabelPair& pair : pairs) becomes.emplace(pair.from, pair.to);
  std::set<double> unknown;
  for (double& label : data.y) {
    const auto found = becomes.find(label);
    if (found == becomes.end()) {
      unknown.insert(label);
    } else {
      label = found->second;
    }
  }
  DataProblems problems(data.origin);
  if (!unknown.empty()) problems.add(0, "only labels that label_map has in from", listed(unknown));
  problems.throw_if_any();
  for (const LabelPair& pair : pairs) data.origin += fmt::format(", label {} to {}", pair.from, pair.to);
  data.truth.reset();
}

DataMatrix rows_of(const DataMatrix& X, const std::vector<Index>& rows) {
  if (const Matrix* dense = X.as_dense()) return DataMatrix(Matrix((*dense)(rows, Eigen::all)));
  const SparseMatrix& from = *X.as_sparse();
  std::vector<Index> place(static_cast<std::size_t>(from.rows()), -1);  // where a kept row goes
  for (std::size_t i = 0; i < rows.size(); ++i) place[static_cast<std::size_t>(rows[i])] = static_cast<Index>(i);
  SparseMatrix to(static_cast<Index>(rows.size()), from.cols());
  for (Index j = 0; j < from.cols(); ++j) {
    to.startVec(j);
    for (SparseMatrix::InnerIterator entry(from, j); entry; ++entry) {
      const Index row = place[static_cast<std::size_t>(entry.row())];
      if (row >= 0) to.insertBack(row, j) = entry.value();
    }
  }
  to.finalize();
  return DataMatrix(std::move(to));
}

void keep_samples(DataSet& data, Index count, RowChoice choice, std::uint64_t seed) {
  if (count >= data.X.rows()) return;
  std::vector<Index> rows(static_cast<std::size_t>(data.X.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  if (choice == RowChoice::random) {
    const auto order = Draws(seed, Purpose{"data.rows"}).permutation(static_cast<std::uint32_t>(data.X.rows()));
    rows.assign(order.begin(), order.begin() + count);
    std::sort(rows.begin(), rows.end());
  }
  rows.resize(static_cast<std::size_t>(count));
  data.X = rows_of(data.X, rows);
  data.y = Vector(data.y(rows));
  data.samples = count;
  data.origin += fmt::format(", {} {} rows", choice == RowChoice::random ? "random" : "first", count);
}

void scale(DataSet& data, Scaling scaling) {
  if (scaling == Scaling::none) return;
  const bool densifies = scaling == Scaling::standardize || scaling == Scaling::minmax;
  if (densifies && data.X.is_sparse() && data.X.rows() * data.X.cols() > dense_entries_max) {
    DataProblems problems(data.origin);
    problems.add(0, "a scaling that keeps sparse data sparse (max_abs, unit_rows)",
                 fmt::format("one that makes {} x {} dense", data.X.rows(), data.X.cols()));
    problems.throw_if_any();
  }
  Vector divisors;
  data.X = scaled(data.X, scaling, divisors);
  if (scaling == Scaling::max_abs && data.truth) {
    *data.truth = data.truth->cwiseProduct(divisors);
  } else {
    data.truth.reset();
  }
  for (const auto& spelling : spellings(scaling)) {
    if (spelling.value == scaling) data.origin += fmt::format(", {}", spelling.name);
  }
}

void multiply(DataSet& data, double factor) {
  if (factor == 1) return;
  if (const Matrix* dense = data.X.as_dense()) {
    data.X = DataMatrix(Matrix(*dense * factor));
  } else {
    data.X = DataMatrix(SparseMatrix(*data.X.as_sparse() * factor));
  }
  if (data.truth) *data.truth /= factor;
  data.origin += fmt::format(", times {}", factor);
}

void add_intercept(DataSet& data) {
  const Index n = data.X.rows(), d = data.X.cols();
  if (const Matrix* dense = data.X.as_dense()) {
    Matrix X(n, d + 1);
    X << *dense, Vector::Ones(n);
    data.X = DataMatrix(std::move(X));
  } else {
    SparseMatrix X(n, d + 1);
    X.leftCols(d) = *data.X.as_sparse();
    X.rightCols(1) = Vector::Ones(n).sparseView();
    data.X = DataMatrix(std::move(X));
  }
  if (data.truth) {
    data.truth->conservativeResize(d + 1);
    (*data.truth)[d] = 0;
  }
  data.origin += ", intercept";
}

DataSet shape_after(DataSet data, const PreprocessOptions& options) {
  const bool fewer = options.max_samples && *options.max_samples < data.X.rows();
  const Index rows = fewer ? *options.max_samples : data.X.rows();
  if (fewer) data.samples = rows;
  data.X = DataMatrix::of_shape(rows, data.X.cols() + (options.intercept ? 1 : 0));
  return data;
}
}  // namespace

DataSet preprocess(DataSet data, const PreprocessOptions& options, std::uint64_t seed) {
  const bool needs_rows = options.labels != LabelRule::as_is || options.max_samples ||
                          options.scaling != Scaling::none || options.center_labels || options.intercept;
  if (needs_rows && data.samples != data.X.rows()) {
    DataProblems problems(data.origin);
    problems.add(0, "one row for each sample, or no preprocessing but factor",
                 fmt::format("{} samples reduced to {} rows", data.samples, data.X.rows()));
    problems.throw_if_any();
  }
  if (!data.X.has_numbers()) return shape_after(std::move(data), options);
  if (options.labels == LabelRule::sign) sign_labels(data);
  if (options.labels == LabelRule::map) map_labels(data, options.label_map);
  if (options.max_samples) keep_samples(data, *options.max_samples, options.choose_samples, seed);
  scale(data, options.scaling);
  multiply(data, options.factor);
  if (options.center_labels) {
    data.y.array() -= data.y.mean();
    data.truth.reset();
    data.origin += ", labels centered";
  }
  if (options.intercept) add_intercept(data);
  return data;
}

}  // namespace lagnet
