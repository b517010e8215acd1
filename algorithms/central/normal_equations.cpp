#include "algorithms/central/normal_equations.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/central/gram.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

void NormalEquations::factor(Matrix matrix) {
  const Vector diagonal = matrix.diagonal();
  const double floor = std::max(1e-14 * diagonal.maxCoeff(), std::numeric_limits<double>::min());
  for (double shift = 1e-14; shift < 1; shift *= 100) {
    matrix.diagonal() = diagonal + shift * diagonal.cwiseMax(floor);
    cholesky_.factor(matrix);
    if (cholesky_.succeeded()) return;
  }
  LAGNET_CHECK(false, "no Cholesky factor of a positive semidefinite matrix: entries that are not finite?");
}

void NormalEquations::set(const Vector& E, const Vector& D) {
  by_rows_ = X_.rows() < X_.cols() && D.minCoeff() > 0;
  const bool is_known = by_rows_ && gram_.size() > 0 && D == D_;  // without an l1 norm D is the same in every step
  E_ = E;
  D_ = D;
  if (by_rows_ && !is_known) gram_ = gram_of_rows(X_, D.cwiseInverse());
  Matrix matrix = by_rows_ ? gram_ : gram_of_columns(X_, E.cwiseInverse());
  matrix.diagonal() += by_rows_ ? E : D;
  factor(std::move(matrix));
}

NormalEquations::Solution NormalEquations::solve_once(const Vector& h, const Vector& r) const {
  if (by_rows_) {
    const Vector dlam = cholesky_.solve(Vector(X_.times(r.cwiseQuotient(D_)) - h));
    return {(r - X_.transpose_times(dlam)).cwiseQuotient(D_), dlam};
  }
  const Vector dtheta = cholesky_.solve(Vector(r + X_.transpose_times(h.cwiseQuotient(E_))));
  return {dtheta, (X_.times(dtheta) - h).cwiseQuotient(E_)};
}

NormalEquations::Solution NormalEquations::solve(const Vector& h, const Vector& r) const {
  Solution solution = solve_once(h, r);
  for (int pass = 0; pass < 2; ++pass) {
    const Vector left_h = h - X_.times(solution.dtheta) + E_.cwiseProduct(solution.dlam);
    const Vector left_r = r - X_.transpose_times(solution.dlam) - D_.cwiseProduct(solution.dtheta);
    const Solution more = solve_once(left_h, left_r);
    solution.dtheta += more.dtheta;
    solution.dlam += more.dlam;
  }
  return solution;
}

}  // namespace lagnet
