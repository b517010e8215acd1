#include "algorithms/peers/extra.hpp"

#include <utility>

namespace lagnet {

Task<> Extra::run(Agent& me) const {
  const AgentId i = me.id();
  const double alpha = alpha_;
  Vector x = zero();          // the iterate                         (d)
  Vector x_before = zero();   // the one before                      (d)
  Vector wx = zero();         // W x                                 (d)
  Vector wx_before = zero();  // W times the one before              (d)
  Vector g = zero();          // gradient of f_i at x_before         (d)
  Vector h = zero();          // gradient of f_i at x                (d)
  Vector s = zero();          // what P is applied to                (d)
  // Zeros before the start make the first step s = W x^0 - alpha grad f(x^0) of x^0 = 0.

  auto evaluate = [&] {
    h = gradient(i, x);
    wx = x;
  };
  auto descend = [&] {
    s += wx - (x_before + wx_before) / 2 - alpha * (h - g);
    x_before = x;
    wx_before = wx;
    g = h;
    x = P_(s, alpha);
  };

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(gradient_work(i), evaluate);
    co_await mixing_.mix(me, wx);
    co_await me.compute(descend_work(), descend);
    me.report(t, x);
  }
}

std::vector<PeerStep> Extra::round_steps(AgentId i) const {
  return {PeerStep::compute(gradient_work(i)), PeerStep::mix(), PeerStep::compute(descend_work())};
}

Extra::Extra(const ExtraOptions& options, MethodInput assignment)
    : PeerAlgorithm(std::move(assignment), ExtraOptions::kind),
      P_(given().problem, ExtraOptions::kind),
      mixing_(options.mixing, given().network),
      alpha_(positive("step", options.step)) {}

std::vector<std::pair<std::string, double>> Extra::constants() const {
  return {{"step", alpha_}, {"K", static_cast<double>(mixing_.rounds())}, {"rho_K", mixing_.rho()}};
}

}  // namespace lagnet
