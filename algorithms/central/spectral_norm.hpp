#pragma once

#include "algorithms/problem/data_matrix.hpp"

namespace lagnet {

/// The largest singular value of X to about 1e-12 relative: from the eigenvalues of the smaller Gram matrix where that
/// is small, else by the Lanczos method (Spectra) on X X' or X' X, never formed, from a fixed start vector.
double spectral_norm(const DataMatrix& X);

}  // namespace lagnet
