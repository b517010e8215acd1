#include "scenarios/data/quadratics.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <cmath>
#include <utility>

#include "scenarios/data/coupled_quadratics.hpp"
#include "scenarios/data/csv.hpp"
#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

namespace {

// Far above the rounding of eigenvalues and of decimals with 15 digits, far below what a model means.
constexpr double rounding = 1e-12;
constexpr double out_of_range = 1e-9;

/// Writes an agent's samples over its A and b.
void make_samples(Eigen::Ref<Matrix> A, Eigen::Ref<Vector> b, Index first_line, DataDiagnostics& problems) {
  const Index d = A.cols();
  if (!A.isApprox(A.transpose(), rounding))
    return problems.add(first_line, "a symmetric matrix from here on", "one that differs from its transpose");
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  const Vector& l = eigen.eigenvalues();
  const double largest = l.cwiseAbs().maxCoeff();
  if (l[0] < -rounding * largest)
    return problems.add(first_line, "a matrix without negative eigenvalues from here on", fmt::format("{:.6g}", l[0]));
  const Vector along = eigen.eigenvectors().transpose() * b;
  const double length = b.norm();
  for (Index k = 0; k < d; ++k) {
    const bool is_flat = l[k] <= rounding * largest;
    if (is_flat && std::abs(along[k]) > out_of_range * length)
      return problems.add(first_line, "a cost with a minimum: b in the range of A", "one without a lower bound");
    const double root = is_flat ? 0 : std::sqrt(static_cast<double>(d) * l[k]);
    A.row(k) = root * eigen.eigenvectors().col(k).transpose();
    b[k] = is_flat ? 0 : static_cast<double>(d) * along[k] / root;
  }
}

}  // namespace

DataSet load(const QuadraticsOptions& options) {
  if (options.coupling) return load_coupled(options);
  DataSet data = load(CsvOptions{.path = options.path, .storage = Storage::dense});
  Matrix all = data.X.dense();
  const Index d = all.cols();
  DataDiagnostics problems(options.path.generic_string());
  if (all.rows() % d != 0)
    problems.add(0, fmt::format("{} lines for each agent, as many as a line has entries of A", d),
                 fmt::format("{} lines", all.rows()));
  problems.throw_if_any();
  const Index lines_before = data.features.empty() ? 1 : 2;  // with a header
  for (Index first = 0; first < all.rows(); first += d)
    make_samples(all.middleRows(first, d), data.y.segment(first, d), first + lines_before, problems);
  problems.throw_if_any();
  data.X = DataMatrix(std::move(all));
  data.features.clear();
  data.learnt.reset();
  return data;
}

}  // namespace lagnet
