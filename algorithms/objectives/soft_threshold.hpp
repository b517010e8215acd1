#pragma once

#include "sim/base/array.hpp"

namespace lagnet {

/// S_tau(q) = sign(q) max(|q| - tau, 0), of vectors coordinate by coordinate; tau = 0 leaves q as it is.
inline double soft_threshold(double q, double tau) { return q > tau ? q - tau : q < -tau ? q + tau : 0.0; }
inline Vector soft_threshold(VectorRef q, double tau) {
  return q.unaryExpr([tau](double x) { return soft_threshold(x, tau); });
}

}  // namespace lagnet
