#pragma once

#include "algorithms/problem/data_matrix.hpp"

namespace lagnet {

/// X' diag(weights) X (cols x cols), weights >= 0 (rows). Only the lower triangle is set; the rest is 0.
/// Dense: rows * cols^2 flops. Sparse: the squares of the rows' counts of entries, added up.
Matrix gram_of_columns(const DataMatrix& X, VectorRef weights);

/// X diag(weights) X' (rows x rows), weights >= 0 (cols). Only the lower triangle is set; the rest is 0.
Matrix gram_of_rows(const DataMatrix& X, VectorRef weights);

/// The largest singular value of X to about 1e-12 relative: from the eigenvalues of the smaller Gram matrix where that
/// is small, else by the Lanczos method (Spectra) on X X' or X' X, never formed, from a fixed start vector.
double spectral_norm(const DataMatrix& X);

}  // namespace lagnet
