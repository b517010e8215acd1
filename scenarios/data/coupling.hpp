#pragma once

#include "sim/base/array.hpp"

namespace lagnet {

/// How the iterate of a problem with coupling constraints, their prices, gives the agents' own variables: where the
/// loss has the derivatives -z at the prices (N, in the order of the samples),
///
///     x = point + back z / scale,   sum_i B_i x_i - b = X'z / scale^2 + miss,   sum_i f_i(x_i) = cost + sum of
///     l*(-z) / scale^2
///
/// as quadratics.hpp derives them. N variables of all agents, n of each.
struct Coupling {
  double scale = 1;  // sqrt(n)
  double cost = 0;   // of the point
  Vector point;      // keeps the constraints and the limits (N)
  Matrix back;       // agent by agent the inverse of the upper Cholesky factor of A_i (N x n)
  Vector miss;       // of the point, by rounding, in each constraint (p)

  Index variables() const { return point.size(); }
  /// The agents' variables at these derivatives of the loss (N).
  Vector variables_at(VectorRef derivatives) const;
};

inline Vector Coupling::variables_at(VectorRef derivatives) const {
  Vector x = point;
  const Index n = back.cols();
  for (Index first = 0; first < x.size(); first += n)
    x.segment(first, n) -= back.middleRows(first, n) * derivatives.segment(first, n) / scale;
  return x;
}

}  // namespace lagnet
