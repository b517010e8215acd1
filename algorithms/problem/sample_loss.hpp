#pragma once

#include "algorithms/problem/problem.hpp"
#include "algorithms/problem/weighted_loss.hpp"

namespace lagnet {

/// The loss of one sample, with the weight that a WeightedLoss gives it.
class SampleLoss {
 public:
  explicit SampleLoss(const Problem& problem)
      : problem_(problem), weighted_(dynamic_cast<const WeightedLoss*>(problem.loss.get())) {}
  const Loss& one() const { return weighted_ ? weighted_->of_one() : *problem_.loss; }
  double weight(Index i) const { return weighted_ ? weighted_->weights()[i] : 1; }
  double value(const Vector& scores, Index i) const {
    const Index c = problem_.loss->outputs();
    return weight(i) * one().total(scores.segment(i * c, c), problem_.y.segment(i, 1));
  }
  double conjugate(double lam, Index i) const { return weight(i) * one().conjugate(lam / weight(i), problem_.y[i]); }

 private:
  const Problem& problem_;
  const WeightedLoss* weighted_;
};

}  // namespace lagnet
