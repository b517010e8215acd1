#include "sim/numerics/cholesky.hpp"

namespace lagnet {

void Cholesky::factor(const Matrix& A) { factor_.compute(A); }

Vector Cholesky::solve(VectorRef b) const { return factor_.solve(b); }

double Cholesky::reciprocal_condition() const { return factor_.rcond(); }

}  // namespace lagnet
