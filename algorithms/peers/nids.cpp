#include "algorithms/peers/nids.hpp"

#include <utility>

namespace lagnet {

Task<> Nids::run(Agent& me) const {
  const AgentId i = me.id();
  const double alpha = alpha_;
  Vector x = zero();         // the iterate                           (d)
  Vector x_before = zero();  // the one before                        (d)
  Vector z = zero();         // what P is applied to                  (d)
  Vector g = zero();         // gradient of f_i at x_before           (d)
  Vector q = zero();         // what is sent: 2 x - x_before - ..     (d)
  Vector wq = zero();        // the same, mixed                       (d)

  auto first = [&] {
    g = gradient(i, x);
    z = x - alpha * g;
    x = P_(z, alpha);
  };
  auto extrapolate = [&] {
    const Vector h = gradient(i, x);
    q = 2 * x - x_before - alpha * (h - g);
    wq = q;
    g = h;
  };
  auto descend = [&] {
    z += (q + wq) / 2 - x;
    x_before = x;
    x = P_(z, alpha);
  };

  me.report(0, x);
  co_await me.compute(first_work(i), first);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(extrapolate_work(i), extrapolate);
    co_await mixing_.mix(me, wq);
    co_await me.compute(descend_work(), descend);
    me.report(t, x);
  }
}

std::vector<PeerStep> Nids::start_steps(AgentId i) const { return {PeerStep::compute(first_work(i))}; }

std::vector<PeerStep> Nids::round_steps(AgentId i) const {
  return {PeerStep::compute(extrapolate_work(i)), PeerStep::mix(), PeerStep::compute(descend_work())};
}

Nids::Nids(const NidsOptions& options, MethodInput assignment)
    : PeerAlgorithm(std::move(assignment), NidsOptions::kind),
      P_(given().problem, NidsOptions::kind),
      mixing_(options.mixing, given().network),
      alpha_(positive("step", options.step)) {}

std::vector<std::pair<std::string, double>> Nids::constants() const {
  return {{"step", alpha_}, {"K", static_cast<double>(mixing_.rounds())}, {"rho_K", mixing_.rho()}};
}

}  // namespace lagnet
