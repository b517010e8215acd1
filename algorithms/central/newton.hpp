#pragma once

#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// minimize over phi in R^k   (1/samples) sum_i l(a_i' phi, y_i) + l1 |phi|_1 + (l2/2) |phi|_2^2,   l smooth:
/// the central problem restricted to the columns of A.
struct FaceProblem {
  const DataMatrix& A;  // chosen columns of X (n x k)
  VectorRef y;          // labels (n)
  double samples;       // the n of 1/n
  const Loss& loss;
  double l1 = 0;
  double l2 = 0;
};

struct FaceResult {
  Vector phi;                 // (k)
  bool met_zero = false;      // a coordinate became 0: the caller chooses new columns
  bool no_minimizer = false;  // a direction along which the objective falls forever
};

/// Newton's method (semismooth for a piecewise quadratic loss) with exact line search across the kinks of the l1 norm,
/// from phi, whose coordinates must not be 0 if l1 > 0. The Hessian gets a small multiple of the identity, so singular
/// ones do no harm, and steps from 0 stay in the range of A' if l1 = 0: a strictly convex loss then gives the minimizer
/// of least norm. hessian.hpp says how systems are solved.
FaceResult minimize_on_face(const FaceProblem& face, Vector phi, int most_steps);

}  // namespace lagnet
