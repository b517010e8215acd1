#include "algorithms/central/solve_centrally.hpp"

#include <limits>

#include "algorithms/central/certificate.hpp"
#include "algorithms/central/least_squares.hpp"
#include "algorithms/central/piecewise_linear.hpp"
#include "algorithms/central/proximal.hpp"
#include "algorithms/central/smooth.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {
namespace {

/// Sparse storage of a matrix that is not sparse costs time in every product.
bool better_dense(const DataMatrix& X) {
  const double entries = static_cast<double>(X.rows()) * static_cast<double>(X.cols());
  return X.is_sparse() && entries <= 1e8 && static_cast<double>(X.nonzeros()) > 0.2 * entries;
}

Optimum no_solver(const Problem& problem, const char* why) {
  const Vector zero = Vector::Zero(problem.dim());
  return {zero, problem.objective(zero), {CertificateKind::none, std::numeric_limits<double>::infinity(), why}};
}

Optimum solve_smooth_problem(const Problem& problem) {
  const auto l1 = problem.regularizer->l1_weight(), l2 = problem.regularizer->l2_weight();
  if (l1 && l2 && problem.loss->is_squared() && *l1 == 0) {
    const auto theta = least_squares(*problem.X, problem.y, *l2 * static_cast<double>(problem.samples));
    if (theta) return certify_smooth(problem, *theta, "least squares, closed form");
  }
  const bool one_score = problem.loss->outputs() == 1;
  if (one_score && l1 && l2 && problem.loss->has_curvature()) return solve_smooth(problem);
  return solve_by_proximal_gradient(problem);
}

Optimum solve(const Problem& problem) {
  const auto l1 = problem.regularizer->l1_weight(), l2 = problem.regularizer->l2_weight();
  if (problem.constraint && problem.loss->smoothness() && l1 == 0.0 && l2 == 0.0) return solve_constrained(problem);
  if (problem.constraint) return no_solver(problem, "none for a constraint with this loss or with a regularizer");
  if (problem.loss->smoothness()) return proven(problem, solve_smooth_problem(problem));
  if (l1 && l2 && problem.loss->slopes(1)) return solve_piecewise_linear(problem);
  return no_solver(problem, "none for this loss and regularizer");
}

}  // namespace

Optimum solve_centrally(const Problem& problem) {
  LAGNET_CHECK(problem.diagnostics().empty(), "the problem is wrong: {} is {}, not {}",
               problem.diagnostics().front().where, problem.diagnostics().front().found,
               problem.diagnostics().front().expected);
  if (!better_dense(*problem.X)) return solve(problem);
  Problem dense = problem;
  dense.X = std::make_shared<const DataMatrix>(problem.X->dense());
  return solve(dense);
}

}  // namespace lagnet
