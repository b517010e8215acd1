#include "algorithms/peers/dgd.hpp"

#include <cmath>
#include <utility>

namespace lagnet {

Task<> Dgd::run(Agent& me) const {
  const AgentId i = me.id();
  Vector x = zero();  // the iterate                 (d)
  Vector g = zero();  // gradient of f_i at x        (d)
  double alpha = alpha_;

  auto evaluate = [&] { g = gradient(i, x); };
  auto descend = [&] { x = P_(x - alpha * g, alpha); };

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    alpha = alpha_ / std::pow(static_cast<double>(t), decay_);
    co_await me.compute(gradient_work(i), evaluate);
    co_await mixing_.mix(me, x);
    co_await me.compute(descend_work(), descend);
    me.report(t, x);
  }
}

std::vector<PeerStep> Dgd::round_steps(AgentId i) const {
  return {PeerStep::compute(gradient_work(i)), PeerStep::mix(), PeerStep::compute(descend_work())};
}

Dgd::Dgd(const DgdOptions& options, MethodInput assignment)
    : PeerAlgorithm(std::move(assignment), DgdOptions::kind),
      P_(given().problem, DgdOptions::kind),
      mixing_(options.mixing, given().network),
      alpha_(positive("step", options.step)) {
  decay_ = options.decay;
}

std::vector<std::pair<std::string, double>> Dgd::constants() const {
  return {{"step", alpha_}, {"decay", decay_}, {"K", static_cast<double>(mixing_.rounds())}, {"rho_K", mixing_.rho()}};
}

}  // namespace lagnet
