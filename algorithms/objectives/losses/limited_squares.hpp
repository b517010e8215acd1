#pragma once

#include <memory>

#include "algorithms/objectives/loss.hpp"

namespace lagnet {

/// What a sample of limited squares is: its target and the limits of its z, low <= 0 <= high, which may be infinite.
struct LimitedSquare {
  double target = 0;
  double low = 0, high = 0;
};

/// Limited squares: for sample k, with t = target_k - a,
///
///     l(a, k) = max over low_k <= z <= high_k of  t z - z^2 / 2,   so that l'(a, k) = -z,  z = t within the limits
///
/// the squared loss where t is within the limits, and linear beyond: Huber's loss with thresholds for each side and
/// sample. It is the dual function of a cost z^2 / 2 - target_k z with limits on z. l*(lam; k) = lam (lam / 2 +
/// target_k) on -high_k <= lam <= -low_k. The label of sample k is k + a whole number that is no smaller than any
/// |target|, as bounds on rounding go by the size of labels.
struct LimitedSquares {
  std::vector<LimitedSquare> samples;
  Index first_label() const;
  Vector labels() const;  // of the samples, in their order
};

/// The loss; its samples must have finite targets, and limits on both sides of 0.
std::shared_ptr<const Loss> make_loss(LimitedSquares all);

}  // namespace lagnet
