#include "algorithms/peers/dpag.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace lagnet {

Task<> Dpag::run(Agent& me) const {
  const AgentId i = me.id();
  const double step = step_, q = (1 - beta_) / (1 + beta_);
  Vector x = zero();      // the iterate                              (d)
  Vector x_new = zero();  // the next one                             (d)
  Vector u = zero();      // extrapolated, where gradients are taken  (d)
  Vector g = zero();      // the last gradient of f_i                 (d)
  Vector s = zero();      // tracks the mean of all agents' gradients (d)

  auto start = [&] { s = g = gradient(i, u); };
  auto descend = [&] { x_new = P_(u - step * s, step); };
  auto extrapolate = [&] {
    u = x_new + q * (x_new - x);
    x = x_new;
  };
  auto track = [&] {
    const Vector h = gradient(i, u);
    s += h - g;
    g = h;
  };

  me.report(0, x);
  co_await me.compute(gradient_work(i), start);
  co_await mixing_.mix(me, s);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(descend_work(), descend);
    co_await mixing_.mix(me, x_new);
    co_await me.compute(extrapolate_work(), extrapolate);
    co_await mixing_.mix(me, u);
    co_await me.compute(track_work(i), track);
    co_await mixing_.mix(me, s);
    me.report(t, x);
  }
}

std::vector<PeerStep> Dpag::start_steps(AgentId i) const {
  return {PeerStep::compute(gradient_work(i)), PeerStep::mix()};
}

// Section 6 of the count: 4 n d + 7 d + 3 K (2 deg + 1) d + P.
std::vector<PeerStep> Dpag::round_steps(AgentId i) const {
  return {PeerStep::compute(descend_work()), PeerStep::mix(), PeerStep::compute(extrapolate_work()), PeerStep::mix(),
          PeerStep::compute(track_work(i)),  PeerStep::mix()};
}

Dpag::Dpag(const DpagOptions& options, MethodInput assignment)
    : PeerAlgorithm(std::move(assignment), DpagOptions::kind),
      P_(given().problem, DpagOptions::kind),
      mixing_(options.mixing, given().network) {
  if (given().timing_only) return;
  if (options.step) step_ = positive("step", *options.step);
  if (options.beta) beta_ = positive("beta", *options.beta);
  if (beta_ > 1) throw OptionError("beta", "above 0 and at most 1", fmt::format("{}", beta_));
  if (options.step && options.beta) return;
  const double L = largest_curvature(options.curvature.L, given());
  const double mu = least_curvature(options.curvature.mu, L);
  if (!options.step) step_ = 1 / (2 * L);
  if (!options.beta) beta_ = std::sqrt(mu / (8 * L));
}

std::vector<std::pair<std::string, double>> Dpag::constants() const {
  return {{"step", step_}, {"beta", beta_}, {"K", static_cast<double>(mixing_.rounds())}, {"rho_K", mixing_.rho()}};
}

}  // namespace lagnet
