#include "algorithms/peers/accel_tracking.hpp"

#include <utility>

namespace lagnet {

Task<> AccelTracking::iterate(Agent& me, Probe probe) const {
  const AgentId i = me.id();
  const double alpha = steps_.alpha, beta = steps_.beta;
  Vector theta = zero();  // the iterate                              (d)
  Vector v = zero();      // its accelerated companion                (d)
  Vector w = zero();      // where the gradient is wanted             (d)
  Vector z = zero();      // the same, mixed                          (d)
  Vector g = zero();      // the last gradient of f_i                 (d)
  Vector y = zero();      // tracks the mean of all agents' gradients (d)
  // The first y is the mixed first gradient whatever y = g stood before it: zeros save a gradient.

  auto extrapolate = [&] { z = w = (theta + beta * v) / (1 + beta); };  // (23a)
  auto track = [&] {
    const Vector h = gradient(i, z);
    y += h - g;
    g = h;
  };
  auto descend = [&] {
    v = P_((1 - beta) * v + beta * z - y / (alpha * beta), 1 / (alpha * beta));  // (23d)
    theta = beta * v + (1 - beta) * theta;                                       // (23e)
  };

  me.report(0, theta);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(extrapolate_work(), extrapolate);
    co_await mixing_.mix(me, z);  // (23b)
    co_await me.compute(track_work(i), track);
    co_await mixing_.mix(me, y);  // (23c)
    co_await me.compute(descend_work(), descend);
    me.report(t, theta);
    if (probe) probe(i, t, State{w, z, y, g, v, theta});
  }
}

// Section 6 of the count: 4 n d + 13 d + 2 K (2 deg + 1) d + P, of which 3 d are for (23a), 2 d for the tracked
// difference, 5 d for the argument of P and 3 d for (23e).
std::vector<PeerStep> AccelTracking::round_steps(AgentId i) const {
  return {PeerStep::compute(extrapolate_work()), PeerStep::mix(), PeerStep::compute(track_work(i)), PeerStep::mix(),
          PeerStep::compute(descend_work())};
}

AccelTracking::AccelTracking(const AccelTrackingOptions& options, MethodInput assignment)
    : PeerAlgorithm(std::move(assignment), AccelTrackingOptions::kind),
      P_(given().problem, AccelTrackingOptions::kind),
      mixing_(options.mixing, given().network) {
  if (!given().timing_only) steps_ = acceleration(options.alpha, options.beta, options.curvature, given());
}

std::vector<std::pair<std::string, double>> AccelTracking::constants() const {
  if (given().timing_only) return {{"K", static_cast<double>(mixing_.rounds())}};
  return {{"alpha", steps_.alpha},
          {"beta", steps_.beta},
          {"K", static_cast<double>(mixing_.rounds())},
          {"rho_K", mixing_.rho()}};
}

}  // namespace lagnet
