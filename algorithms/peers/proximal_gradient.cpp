#include "algorithms/peers/proximal_gradient.hpp"

#include "algorithms/interface/rate_bound.hpp"

namespace lagnet {

Task<> ProximalGradient::run(Agent& me) const {
  const double s = steps_.s;
  StateVector theta = me.vector(d());  // the iterate      (d)
  auto descend = [&] {
    theta -= s * gradient(me.id(), theta);
    theta = P_(theta, s);
  };
  const Cost cost = gradient_work(me.id()) + prox_work(2, 4);
  me.report(0, theta);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(cost, descend);
    me.report(t, theta);
  }
}

std::optional<RateBound> ProximalGradient::rate_bound(const ErrorScale& scale) const {
  if (!is_undisturbed(given())) return std::nullopt;
  return proximal_gradient_bound({.s = steps_.s,
                                  .L = largest_curvature(std::nullopt, given()) + own_smoothness(),
                                  .mu = least_curvature_of_all(given()) + own_l2_weight(),
                                  .mu_h = rest_l2_weight()},
                                 given().problem.constraint != nullptr, {}, scale);
}

Task<> AcceleratedProximalGradient::run(Agent& me) const {
  const double alpha = steps_.alpha, beta = steps_.beta;
  StateVector theta = me.vector(d());  // the iterate                  (d)
  StateVector v = theta;               // its accelerated companion    (d)
  StateVector z = theta;               // where the gradient is taken  (d)
  auto descend = [&] {
    z = (theta + beta * v) / (1 + beta);
    v = (1 - beta) * v + beta * z - gradient(me.id(), z) / (alpha * beta);
    v = P_(v, 1 / (alpha * beta));
    theta = beta * v + (1 - beta) * theta;
  };
  const Cost cost = gradient_work(me.id()) + prox_work(11, 8);
  me.report(0, theta);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(cost, descend);
    me.report(t, theta);
  }
}

}  // namespace lagnet
