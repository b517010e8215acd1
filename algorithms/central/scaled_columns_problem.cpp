#include "algorithms/central/scaled_columns_problem.hpp"

#include <cmath>

#include "algorithms/central/column_factors.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {
namespace {

/// sum_j a_j |phi_j| + (b_j/2) phi_j^2.
class OwnWeights final : public Regularizer {
 public:
  OwnWeights(Vector a, Vector b) : a_(std::move(a)), b_(std::move(b)) {}
  double value(VectorRef phi) const override { return a_.dot(phi.cwiseAbs()) + 0.5 * b_.dot(phi.cwiseAbs2()); }
  Vector prox(VectorRef q, double step) const override {
    Vector result(q.size());
    for (Index j = 0; j < q.size(); ++j)
      result[j] = std::copysign(std::max(std::abs(q[j]) - step * a_[j], 0.0), q[j]) / (1 + step * b_[j]);
    return result;
  }
  double conjugate(VectorRef) const override { throw InternalError("the conjugate of scaled coefficients"); }
  bool has_conjugate() const override { return false; }

 private:
  Vector a_, b_;
};

}  // namespace

Vector factors_of_entries(const Problem& problem, const Vector& factors) {
  const Index c = problem.loss->outputs();
  return factors.transpose().replicate(c, 1).reshaped();
}

Problem with_scaled_columns(const Problem& problem, const Vector& factors) {
  const Vector each = factors_of_entries(problem, factors);
  Problem scaled = problem;
  scaled.X = std::make_shared<const DataMatrix>(scaled_columns(*problem.X, factors));
  scaled.regularizer = std::make_shared<const OwnWeights>(problem.regularizer->l1_weight().value() * each,
                                                          problem.regularizer->l2_weight().value() * each.cwiseAbs2());
  return scaled;
}

}  // namespace lagnet
