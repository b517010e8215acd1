#pragma once

#include "sim/base/array.hpp"

namespace lagnet {

/// S_tau(q) = sign(q) max(|q| - tau, 0), coordinate by coordinate; tau = 0 leaves q as it is.
inline Vector soft_threshold(VectorRef q, double tau) {
  return q.unaryExpr([tau](double x) { return x > tau ? x - tau : x < -tau ? x + tau : 0.0; });
}

}  // namespace lagnet
