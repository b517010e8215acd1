#include "algorithms/peers/netlasso.hpp"

#include <utility>

namespace lagnet {

Task<> NetLasso::run(Agent& me) const {
  const AgentId i = me.id();
  const double s = s_;
  Vector theta = zero();  // the iterate                              (d)
  Vector g = zero();      // the last gradient of f_i                 (d)
  Vector y = zero();      // tracks the mean of all agents' gradients (d)

  auto start = [&] { y = g = gradient(i, theta); };
  auto descend = [&] { theta = P_(theta - s * y, s); };
  auto track = [&] {
    const Vector h = gradient(i, theta);
    y += h - g;
    g = h;
  };

  me.report(0, theta);
  co_await me.compute(gradient_work(i), start);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(descend_work(), descend);
    co_await mixing_.mix(me, theta);
    co_await me.compute(track_work(i), track);
    co_await mixing_.mix(me, y);
    me.report(t, theta);
  }
}

std::vector<PeerStep> NetLasso::start_steps(AgentId i) const { return {PeerStep::compute(gradient_work(i))}; }

// Section 6 of the count: 4 n d + 4 d + 2 K (2 deg + 1) d + P.
std::vector<PeerStep> NetLasso::round_steps(AgentId i) const {
  return {PeerStep::compute(descend_work()), PeerStep::mix(), PeerStep::compute(track_work(i)), PeerStep::mix()};
}

NetLasso::NetLasso(const NetLassoOptions& options, MethodInput assignment)
    : PeerAlgorithm(std::move(assignment), NetLassoOptions::kind),
      P_(given().problem, NetLassoOptions::kind),
      mixing_(options.mixing, given().network) {
  if (given().timing_only) return;
  s_ = options.step ? positive("step", *options.step) : 1 / (2 * largest_curvature(options.L, given()));
}

std::vector<std::pair<std::string, double>> NetLasso::constants() const {
  return {{"step", s_}, {"K", static_cast<double>(mixing_.rounds())}, {"rho_K", mixing_.rho()}};
}

}  // namespace lagnet
