#pragma once

#include "algorithms/objectives/iterate_shape.hpp"
#include "sim/base/array.hpp"
#include "sim/base/types.hpp"
#include "sim/numerics/decompositions.hpp"

namespace lagnet {

/// Theta = U diag(s) V', of an iterate with the shape p1 x p2.
struct SingularValues : ThinSvd {
  /// How many singular values are above max(p1, p2) times the rounding of the largest.
  Index rank() const;
  /// U diag(values) V' as an iterate, row by row.
  Vector recomposed(VectorRef values) const;
};

/// Decomposes theta (p1 p2), stored row by row. If theta has entries that are not finite, so has every part of the
/// result.
SingularValues singular_values(VectorRef theta, IterateShape shape);

/// The values alone (n), descending.
Vector singular_values_alone(VectorRef theta, IterateShape shape);

/// 14 p n^2 + 8 n^3, p the larger and n the smaller side: of U, s and V.
Flops svd_flops(IterateShape shape);
/// 2 p n^2: of U diag(values) V'.
Flops recomposition_flops(IterateShape shape);

}  // namespace lagnet
