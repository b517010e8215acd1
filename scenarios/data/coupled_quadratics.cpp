#include "scenarios/data/coupled_quadratics.hpp"

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/central/bounded_least_squares.hpp"
#include "algorithms/objectives/losses/limited_squares.hpp"
#include "scenarios/data/coupling.hpp"
#include "scenarios/data/csv.hpp"
#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

namespace {

constexpr double least_of_largest = 1e-12;  // of eigenvalues, and of decimals with 15 digits
constexpr double most_missed = 1e-9;        // of a constraint, relative to what it adds up
constexpr double no_limit = 1e20;           // as solvers of linear programs have it
constexpr double most_target = 1e15;        // labels are whole numbers beyond it
constexpr double infinite = std::numeric_limits<double>::infinity();

struct FileOfNumbers {
  Matrix entries;
  Vector last;
  Index first_line = 1;
};

/// The numbers of a file; its problems go to `found`.
FileOfNumbers read(const std::filesystem::path& path, std::vector<Diagnostic>& found) {
  try {
    const DataSet data = load(CsvOptions{.path = path, .storage = Storage::dense});
    return {data.X.dense(), data.y, data.features.empty() ? 1 : 2};
  } catch (const Diagnosed& wrong) {
    found.insert(found.end(), wrong.diagnostics.begin(), wrong.diagnostics.end());
    return {};
  }
}

/// Adds the problems of a file to those of all.
void collect(const DataDiagnostics& problems, std::vector<Diagnostic>& found) {
  try {
    problems.throw_if_any();
  } catch (const Diagnosed& wrong) {
    found.insert(found.end(), wrong.diagnostics.begin(), wrong.diagnostics.end());
  }
}

void throw_if_any(std::vector<Diagnostic> found) {
  if (!found.empty()) throw Diagnosed(std::move(found));
}

struct VariableLimits {
  Vector low, high;  // (N)
  bool any() const { return (low.array() > -infinite).any() || (high.array() < infinite).any(); }
  bool has(Index k) const { return low[k] > -infinite || high[k] < infinite; }
};

void check_costs(const FileOfNumbers& costs, const VariableLimits& limits, DataDiagnostics& problems) {
  const Index n = costs.entries.cols();
  for (Index first = 0; first < costs.entries.rows(); first += n) {
    const auto A = costs.entries.middleRows(first, n);
    const Index line = first + costs.first_line;
    if (!A.isApprox(A.transpose(), least_of_largest)) {
      problems.add(line, "a symmetric matrix from here on", "one that differs from its transpose");
      continue;
    }
    const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
    if (!(eigenvalues[0] > least_of_largest * eigenvalues.cwiseAbs().maxCoeff()))
      problems.add(line, "a matrix with eigenvalues above 0 from here on, so that prices determine the variables",
                   fmt::format("{:.6g}", eigenvalues[0]));
    for (Index k = 0; k < n; ++k)
      if (limits.has(first + k) && (A.row(k).array() != 0).count() > 1)
        problems.add(line + k, "0 beside the diagonal, since this variable has limits",
                     fmt::format("{} other entries", (A.row(k).array() != 0).count() - 1));
  }
}

/// Those of the file, infinite from 1e20 on.
VariableLimits read_limits(const FileOfNumbers& table, DataDiagnostics& problems) {
  VariableLimits limits{table.entries.col(0), table.last};
  for (Index k = 0; k < limits.low.size(); ++k) {
    if (limits.low[k] <= -no_limit) limits.low[k] = -infinite;
    if (limits.high[k] >= no_limit) limits.high[k] = infinite;
    if (!(limits.low[k] <= limits.high[k]) || limits.low[k] == infinite || limits.high[k] == -infinite)
      problems.add(k + table.first_line, "a least value that is at most the largest one",
                   fmt::format("{} and {}", table.entries(k, 0), table.last[k]));
  }
  return limits;
}

void check_point(const FileOfNumbers& constraints, const Vector& point, bool has_limits, DataDiagnostics& problems) {
  const Matrix& B = constraints.entries;
  const Vector missed = (B * point - constraints.last).cwiseAbs();
  const Vector size = B.cwiseAbs() * point.cwiseAbs() + constraints.last.cwiseAbs();
  for (Index line = 0; line < missed.size(); ++line)
    if (missed[line] > most_missed * size[line])
      problems.add(line + constraints.first_line,
                   fmt::format("constraints that variables {}can keep all at once", has_limits ? "within limits " : ""),
                   fmt::format("one that the nearest point misses by {:.6g}", missed[line]));
}

}  // namespace

DataSet load_coupled(const QuadraticsOptions& options) {
  std::vector<Diagnostic> found;
  const FileOfNumbers costs = read(options.path, found), constraints = read(*options.coupling, found);
  const FileOfNumbers bounds = options.limits ? read(*options.limits, found) : FileOfNumbers();
  throw_if_any(std::move(found));

  DataDiagnostics of_costs(options.path.generic_string()), of_constraints(options.coupling->generic_string()),
      of_limits(options.limits ? options.limits->generic_string() : "");
  const auto throw_problems = [&] {
    std::vector<Diagnostic> all;
    for (const DataDiagnostics* one : {&of_costs, &of_constraints, &of_limits}) collect(*one, all);
    throw_if_any(std::move(all));
  };
  const Index N = costs.entries.rows(), n = costs.entries.cols();
  if (N % n != 0)
    of_costs.add(0, fmt::format("{} lines for each agent, as many as a line has entries of A", n),
                 fmt::format("{} lines", N));
  if (constraints.entries.cols() != N)
    of_constraints.add(0,
                       fmt::format("{} numbers on a line: one for each line of {}, and the right-hand side", N + 1,
                                   options.path.filename().generic_string()),
                       fmt::format("{}", constraints.entries.cols() + 1));
  if (options.limits && (bounds.entries.rows() != N || bounds.entries.cols() != 1))
    of_limits.add(0, fmt::format("{} lines of 2 numbers", N),
                  fmt::format("{} of {}", bounds.entries.rows(), bounds.entries.cols() + 1));
  throw_problems();

  VariableLimits limits{Vector::Constant(N, -infinite), Vector::Constant(N, infinite)};
  if (options.limits) limits = read_limits(bounds, of_limits);
  check_costs(costs, limits, of_costs);
  throw_problems();

  Coupling made{.scale = std::sqrt(static_cast<double>(n))};
  made.point = bounded_least_squares(constraints.entries, constraints.last, limits.low, limits.high);
  check_point(constraints, made.point, limits.any(), of_constraints);
  throw_problems();
  made.miss = constraints.entries * made.point - constraints.last;
  made.back = Matrix(N, n);

  Matrix X(N, constraints.entries.rows());
  Vector targets(N), low(N), high(N);
  for (Index first = 0; first < N; first += n) {
    const auto own = Eigen::seqN(first, n);
    const Matrix A = costs.entries(own, Eigen::all), G = A.llt().matrixL();
    const Vector x0 = made.point(own), slope = costs.last(own) - A * x0;  // what the cost falls by at the point
    X(own, Eigen::all) =
        made.scale * G.triangularView<Eigen::Lower>().solve(Matrix(constraints.entries(Eigen::all, own).transpose()));
    targets(own) = made.scale * G.triangularView<Eigen::Lower>().solve(slope);
    made.back.middleRows(first, n) = G.transpose().triangularView<Eigen::Upper>().solve(Matrix::Identity(n, n));
    made.cost += x0.dot(A * x0) / 2 - costs.last(own).dot(x0);
    low(own) = made.scale * G.diagonal().cwiseProduct(limits.low(own) - x0);
    high(own) = made.scale * G.diagonal().cwiseProduct(limits.high(own) - x0);
  }
  DataSet data{.X = DataMatrix(std::move(X)), .y = targets, .samples = N, .origin = options.path.generic_string()};
  data.origin += fmt::format(", coupled by {} constraints", constraints.last.size());
  if (limits.any()) {
    if (!(targets.cwiseAbs().maxCoeff() < most_target))
      of_costs.add(0, "costs with slopes below 1e15", fmt::format("{:.6g}", targets.cwiseAbs().maxCoeff()));
    throw_problems();
    LimitedSquares all;
    // The point keeps its limits up to rounding.
    for (Index k = 0; k < N; ++k)
      all.samples.push_back({.target = targets[k], .low = std::min(low[k], 0.0), .high = std::max(high[k], 0.0)});
    data.y = all.labels();
    data.loss = make_loss(std::move(all));
  }
  data.coupling = std::make_shared<const Coupling>(std::move(made));
  return data;
}

}  // namespace lagnet
