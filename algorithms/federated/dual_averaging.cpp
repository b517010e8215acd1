#include "algorithms/federated/dual_averaging.hpp"

namespace lagnet {

double AveragingWeights::alpha(Round t) const {
  if (constant_) return 1;
  const double root = static_cast<double>(t) + a_;
  return root * root;
}

double AveragingWeights::A(Round t) const {
  const double last = static_cast<double>(t), count = last + 1;
  if (constant_) return count;
  return last * count * (2 * last + 1) / 6 + a_ * last * count + count * a_ * a_;
}

}  // namespace lagnet
