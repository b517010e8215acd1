#include "numerics/cholesky.hpp"

namespace lagnet {

void Cholesky::factor(const Eigen::MatrixXd& A) { factor_.compute(A); }

Eigen::VectorXd Cholesky::solve(const Eigen::Ref<const Eigen::VectorXd>& b) const { return factor_.solve(b); }

double Cholesky::reciprocal_condition() const { return factor_.rcond(); }

}  // namespace lagnet
