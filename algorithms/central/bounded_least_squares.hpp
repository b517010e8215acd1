#pragma once

#include "sim/base/array.hpp"

namespace lagnet {

/// A minimizer of |B x - b|_2 over low <= x <= high, which may be infinite: a point with B x = b, up to rounding, where
/// there is one. Without limits the one of least norm. Variables leave their limits one at a time, the one whose slope
/// is largest first, and each least squares solution goes as far as the limits let it.
/// Source: Stark, Parker, "Bounded-variable least-squares: an algorithm and applications", Computational Statistics 10
/// (1995). Equal slopes: the first variable.
Vector bounded_least_squares(const Matrix& B, const Vector& b, const Vector& low, const Vector& high);

}  // namespace lagnet
