#include "algorithms/peers/primal_dual_cost.hpp"

namespace lagnet {

Cost PrimalDualCost::primal(const ColumnBlock& X, Index degree) const {
  const Index d = X.cols();
  Cost work(X.transpose_times_flops() + 2 * d + 3 * d);  // product; scale and subtract; prox (9)
  Index vectors = n + 3 * d;                             // lambda
  if (degree > 0) {
    // degree lambda - sum; scale; subtract from v (10): n (deg + 3).
    work.flops += n * (degree + 1) + n + n + (is_weighted ? degree * n : 0);
    vectors += n * ((degree + 1) + 5);  // the neighbors' vectors and their sum; lambda, sum, v twice, w
  }
  work.bytes = X.bytes() + vectors * Bytes{sizeof(double)};
  return work;
}

Cost PrimalDualCost::dual(const ColumnBlock& X, Index degree) const {
  const Index d = X.cols();
  // 2 theta^+ - theta is charged one an entry. The labels' prox (12) and the average are not charged, as in the paper's
  // count. Product; scale; add to lambda (13).
  Cost work(d + X.add_times_flops() + 2 * n);
  Index vectors = n * (2 + 3) + 3 * d;  // ascent twice for X e; ascent, lambda twice
  if (degree > 0) {
    // w = v^+ - g; degree w - sum; plus X e, to which a single agent adds nothing (11): n (2 d + deg + 4) + d.
    work.flops += n + n * (degree + 1) + (is_weighted ? degree * n : 0) + (is_scaled ? n : 0);
    vectors += n * ((degree + 1) + 3);  // the neighbors' vectors and their sum; w, sum, ascent
  } else {
    work.flops -= n;
  }
  work.bytes = X.bytes() + vectors * Bytes{sizeof(double)};
  return work;
}

double single_agent_iterations(Round round, const MethodInput& given) {
  const double n = static_cast<double>(given.problem.samples), d = static_cast<double>(given.problem.X->cols());
  const double share = d / static_cast<double>(given.network.agents);
  const double degree = static_cast<double>(given.network.max_degree);
  const double single = n * (4 * d + 1) + 5 * d;
  const double agent = given.network.agents == 1 ? single : n * (4 * share + 2 * degree + 7) + 5 * share;
  return static_cast<double>(round) * agent / single;
}

}  // namespace lagnet
