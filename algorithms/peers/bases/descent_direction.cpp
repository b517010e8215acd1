#include "algorithms/peers/bases/descent_direction.hpp"

namespace lagnet {

DescentDirection::DescentDirection(const PeerAlgorithm& method, const DirectionOptions& options, const Agent& me)
    : method_(method), options_(options), me_(me), batch_(method.minibatches(me, 0, options.batch, 0)) {
  if (options.momentum > 0) u_ = me.vector(method.d());
}

Cost DescentDirection::draw(Round t) {
  batch_ = method_.minibatches(me_, t, options_.batch, 1);
  const Cost of_gradient = method_.gradients_work(me_.id(), options_.batch, batch_, 1);
  const bool adds = options_.momentum > 0 && t > 0;  // before round 1, u is the gradient
  return adds ? of_gradient + method_.vector_work(2, 3) : of_gradient;
}

Vector DescentDirection::at(VectorRef x) {
  Vector g = method_.gradient(me_.id(), x, batch_.of_step(0));
  if (options_.momentum == 0) return g;
  u_ = options_.momentum * u_ + g;
  return u_;
}

}  // namespace lagnet
