#include "algorithms/local/dane_step.hpp"

#include <limits>

namespace lagnet {

Cost DaneStep::solve(VectorRef y, VectorRef g, VectorRef s, Eigen::Ref<Vector> z) const {
  if (!is_direct()) {
    z = y;
    return dual_.solve(g - s + mu_ * y, z);
  }
  if (cholesky_.succeeded())
    z = y - cholesky_.solve(s);
  else
    z.setConstant(std::numeric_limits<double>::quiet_NaN());
  return {};
}

Cost DaneStep::factor_work() const { return hessian_work(f_) + Cost(cholesky_flops(f_.X.cols())); }

}  // namespace lagnet
