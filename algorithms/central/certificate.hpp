#pragma once

#include "algorithms/central/optimum.hpp"
#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// The Certificate::relative at which a solver stops: rounding leaves nothing to gain by more work.
inline constexpr double attainable_relative = 1e-14;

/// Norm of the smallest subgradient of F at theta, relative to |X|_F |l'(0, y)| / samples, of scaled coefficients where
/// columns have factors (column_factors.hpp); smooth losses only. With a regularizer outside the elastic family, of the
/// prox-gradient residual (theta - prox(theta - s grad f, s)) / s, s = 1. It says when a solver is done, and bounds
/// nothing.
double kkt_residual(const Problem& problem, VectorRef theta, VectorRef scores);

/// (F(theta) - D(lam)) / F(0), with the dual objective D(lam) = -(1/n) sum_i l*(lam_i; y_i) - r*(-X' lam / n), n =
/// samples, as it is computed, for solvers to go by: proven() charges what rounding does. lam (rows) is scaled towards
/// 0 where the l1 norm asks for it. Without a regularizer D is finite only if X' lam = 0; then what rounding leaves of
/// X' lam / n is charged |theta| |X' lam / n|: the bound holds against every point of norm up to 1 |theta| from theta.
double duality_gap(const Problem& problem, VectorRef theta, VectorRef scores, VectorRef lam);

/// The criterion of a solver for a smooth loss: the gap at lam = l'(X theta) or, without a regularizer or where the gap
/// is above 1e-10 and the residual is not, the KKT residual. Without a conjugate of the loss or the regularizer there
/// is no gap, which the certificate's method then says.
Optimum certify_smooth(const Problem& problem, const Vector& theta, const std::string& method);

/// The result, with a certificate that bounds value - F*, rounding included: a duality gap (duality_proof.hpp), or
/// none. Where the user's own loss or regularizer leaves no bound, the residual stays. lam (n) is the dual point of a
/// loss with kinks.
Optimum proven(const Problem& problem, Optimum found, const Vector& lam = Vector());

}  // namespace lagnet
