#pragma once

#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// The bounded quantity: F(theta) - F* for a theta whose objective was computed as `value`.
struct Claim {
  const Problem& problem;
  const Vector& theta;  // (dim)
  double value;
  const Vector& lam;  // dual point of a loss with kinks (n); for a smooth loss it is l'(X theta) and not looked at
};

/// A number that is at least value - F*, rounding included; infinite where none is known. The problem has no
/// constraint.
///
/// For any lam'' with the exact q'' = -X'lam'' / samples and the exact scores a = X theta,
///     F(theta) - F* <= (1/samples) sum_i [l(a_i) + l*(lam''_i) - a_i lam''_i] + r(theta) + r*(q'') - theta'q'',
/// and no term of it is negative. Of a smooth loss lam = l'(a) makes the first sum exactly 0, whatever was rounded.
/// Where r* asks for a q'' that rounding misses, or charges much for it (columns C of large norm, and all of them
/// without a regularizer), lam'' is the point with q''_C = t_C, t a subgradient of r at theta, that is nearest in a
/// metric 1/w:
///     lam'' = lam + W X_C G^-1 z,   G = X_C' W X_C,   z = -(X_C'lam + samples t_C).
/// It is never computed. Rounding of z is bounded, G^-1 by VerifiedGram, and nu^2 = z'G^-1 z bounds what lam'' changes:
/// |lam''_i - lam_i| <= sqrt(w_i) nu, and of a smooth loss, where w_i is its curvature, the first sum is at most nu^2.
double proven_gap(const Claim& claim);

}  // namespace lagnet
