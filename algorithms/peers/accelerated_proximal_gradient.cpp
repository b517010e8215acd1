#include "algorithms/peers/accelerated_proximal_gradient.hpp"

#include <utility>

namespace lagnet {

Task<> AcceleratedProximalGradient::run(Agent& me) const {
  const double alpha = steps_.alpha, beta = steps_.beta;
  Vector theta = zero();  // the iterate                  (d)
  Vector v = zero();      // its accelerated companion    (d)
  Vector z = zero();      // where the gradient is taken  (d)
  auto descend = [&] {
    z = (theta + beta * v) / (1 + beta);
    v = P_((1 - beta) * v + beta * z - gradient(me.id(), z) / (alpha * beta), 1 / (alpha * beta));
    theta = beta * v + (1 - beta) * theta;
  };
  me.report(0, theta);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(descend_work(), descend);
    me.report(t, theta);
  }
}

std::vector<PeerStep> AcceleratedProximalGradient::round_steps(AgentId) const {
  return {PeerStep::compute(descend_work())};
}

AcceleratedProximalGradient::AcceleratedProximalGradient(const AcceleratedProximalGradientOptions& options,
                                                         MethodInput assignment)
    : PeerAlgorithm(std::move(assignment), AcceleratedProximalGradientOptions::kind),
      P_(given().problem, AcceleratedProximalGradientOptions::kind) {
  need_one_agent(AcceleratedProximalGradientOptions::kind);
  if (!given().timing_only) steps_ = acceleration(options.alpha, options.beta, options.curvature, given());
}

std::vector<std::pair<std::string, double>> AcceleratedProximalGradient::constants() const {
  return {{"alpha", steps_.alpha}, {"beta", steps_.beta}};
}

}  // namespace lagnet
