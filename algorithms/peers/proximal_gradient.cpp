#include "algorithms/peers/proximal_gradient.hpp"

#include <utility>

namespace lagnet {

Task<> ProximalGradient::run(Agent& me) const {
  const double s = s_;
  Vector theta = zero();  // the iterate      (d)
  auto descend = [&] { theta = P_(theta - s * gradient(me.id(), theta), s); };
  me.report(0, theta);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(descend_work(), descend);
    me.report(t, theta);
  }
}

std::vector<PeerStep> ProximalGradient::round_steps(AgentId) const { return {PeerStep::compute(descend_work())}; }

ProximalGradient::ProximalGradient(const ProximalGradientOptions& options, MethodInput assignment)
    : PeerAlgorithm(std::move(assignment), ProximalGradientOptions::kind),
      P_(given().problem, ProximalGradientOptions::kind) {
  need_one_agent(ProximalGradientOptions::kind);
  if (given().timing_only) return;
  s_ = options.step ? positive("step", *options.step) : 1 / (2 * largest_curvature(options.L, given()));
}

std::vector<std::pair<std::string, double>> ProximalGradient::constants() const { return {{"step", s_}}; }

}  // namespace lagnet
