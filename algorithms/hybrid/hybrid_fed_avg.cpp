#include "algorithms/hybrid/hybrid_fed_avg.hpp"

namespace lagnet {

void HybridFedAvg::descend(const Local& now, StateVector& w) const {
  const SampleRows& x = now.own.slices;
  w = now.w0;
  for (const Index i : now.picks) {
    const double slope = loss().derivative(x.score(i, w), x.label(i));  // -u of the partial product
    w *= 1 - now.lr * lambda();
    x.add(i, -now.lr * slope, w);
  }
}

}  // namespace lagnet
