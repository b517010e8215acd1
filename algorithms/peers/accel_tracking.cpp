#include "algorithms/peers/accel_tracking.hpp"

namespace lagnet {

// The sheet counts 4 n d + 13 d + 2 K (2 deg + 1) d + P flops a round, of which 3 d are for (23a), 2 d for the tracked
// difference, 5 d for the argument of P and 3 d for (23e).
Task<> AccelTracking::run(Agent& me) const {
  const AgentId i = me.id();
  const double alpha = steps_.alpha, beta = steps_.beta;
  StateVector theta = me.vector(d());  // the iterate                              (d)
  StateVector v = theta;               // its accelerated companion                (d)
  StateVector w = theta;               // where the gradient is wanted             (d)
  StateVector z = theta;               // the same, mixed                          (d)
  StateVector g = theta;               // the last gradient of f_i                 (d)
  StateVector y = theta;               // tracks the mean of all agents' gradients (d)
  // The first y is the mixed first gradient whatever y = g stood before it: zeros save a gradient.

  auto extrapolate = [&] { z = w = (theta + beta * v) / (1 + beta); };  // (23a)
  auto track = [&] {
    const Vector h = gradient(i, z);
    y += h - g;
    g = h;
  };
  auto descend = [&] {
    v = (1 - beta) * v + beta * z - y / (alpha * beta);
    v = P_(v, 1 / (alpha * beta));          // (23d)
    theta = beta * v + (1 - beta) * theta;  // (23e)
  };

  me.report(0, theta);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(vector_work(3, 3), extrapolate);
    co_await mix(me, z);  // (23b)
    co_await me.compute(gradient_work(i) + vector_work(2, 4), track);
    co_await mix(me, y);  // (23c)
    co_await me.compute(prox_work(8, 7), descend);
    me.report(t, theta);
  }
}

std::vector<Constant> AccelTracking::constants() const {
  if (given().timing_only) return {{"K", static_cast<double>(mixing_.rounds())}};
  return TrackingMethod::constants();
}

}  // namespace lagnet
