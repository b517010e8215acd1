#include "algorithms/peers/optimal/opapc.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lagnet {

Task<> Opapc::run(Agent& me) const {
  const double tau = tau_, eta = eta_, theta = theta_, alpha = mu();
  StateVector x = me.vector(d());  // the iterate                               (d)
  StateVector xf = x, xg = x;      // the extrapolated point; between the two   (d)
  StateVector x_new = x;           // the next iterate                          (d)
  StateVector y = x;               // own dual variable                         (d)
  StateVector h = x;               // gradient of f_i less the strong convexity (d)
  StateVector u = x;               // the predicted iterate xh, then P(Wl) xh   (d)

  auto predict = [&] {
    xg = tau * x + (1 - tau) * xf;                // (1)
    h = gradient(me.id(), xg) - alpha * xg;       // (2)
    u = (x - eta * (h + y)) / (1 + eta * alpha);  // (3)
  };
  auto correct = [&] {
    y += theta * u;                                   // (4)
    x_new = (x - eta * (h + y)) / (1 + eta * alpha);  // (5)
    xf = xg + 2 * tau / (2 - tau) * (x_new - x);      // (6)
    x = x_new;
  };

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(gradient_work(me.id()) + vector_work(9, 7), predict);
    co_await P_.multiply(me, u);
    co_await me.compute(vector_work(9, 9), correct);
    me.report(t, x);
  }
}

Opapc::Opapc(const OwnCurvatureOptions& curvature, std::optional<Index> K, MethodInput input, std::string_view kind,
             const AlgorithmTraits& traits)
    : StronglyConvexPeers(curvature, std::move(input), kind, traits), P_(K, given().network, kind) {
  add_constant("K", static_cast<double>(P_.K()));
  if (given().timing_only) return;
  const double kappa = L() / mu();
  tau_ = std::min(1.0, std::sqrt(P_.largest() / P_.least() / kappa) / 2);
  eta_ = 1 / (4 * tau_ * L());
  theta_ = 1 / (eta_ * P_.largest());
  add_constants({{"mu", mu()}, {"L", L()}, {"chi", P_.chi()}, {"tau", tau_}, {"eta", eta_}, {"theta", theta_}});
}

}  // namespace lagnet
