#include "algorithms/peers/nids.hpp"

#include <algorithm>
#include <cmath>

namespace lagnet {

Task<> Nids::run(Agent& me) const {
  const double alpha = alpha_;
  DescentDirection direction = direction_of(me);
  StateVector x = me.vector(d());  // x^k, the iterate                              (d)
  StateVector x_before = x;        // x^{k-1}                                       (d)
  StateVector z = x;               // z^k, which P is applied to                    (d)
  StateVector g = x;               // grad f_i(x^{k-1}), or with momentum           (d)
  StateVector q = x;               // 2 x^k - x^{k-1} - alpha (change of gradient)  (d)
  StateVector wq = x;              // W q                                           (d)

  auto first = [&] {
    g = direction.at(x);
    z = x - alpha * g;
    x = P_(z, alpha);
  };
  auto extrapolate = [&] {
    const Vector h = direction.at(x);
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
  co_await me.compute(direction.draw(0) + prox_work(2, 3), first);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(direction.draw(t) + vector_work(5, 6), extrapolate);
    co_await mix(me, wq);
    co_await me.compute(prox_work(4, 6), descend);
    me.report(t, x);
  }
}

std::optional<RateBound> Nids::rate_bound(const ErrorScale& scale) const {
  const auto theory = plain_theory(scale);
  if (!theory) return std::nullopt;
  const double alpha = alpha_, lambda = given().network.gossip_second;
  const double shrinks = std::max(std::abs(1 - alpha * theory->mu), std::abs(1 - alpha * theory->L));
  if (!(shrinks < 1 && lambda < 1)) return std::nullopt;
  const Vector& optimum = *scale.minimizer;
  const Vector zero = Vector::Zero(d());
  double V = 0;  // of x^1 and u = 0
  for (const AgentId i : reporters())
    V += (-alpha * gradient(i, zero) - optimum).squaredNorm() +
         alpha * alpha * (1 + lambda) / (1 - lambda) * gradient(i, optimum).squaredNorm();
  return RateBound{.measure = "optimum_distance",
                   .C = std::sqrt(V / static_cast<double>(given().network.agents)),
                   .q = std::sqrt(std::max(shrinks * shrinks, (1 + lambda) / 2)),
                   .exponent = 2,
                   .from = 1,
                   .resolution = theory->resolution,
                   .text = "V max((1 - alpha mu)^2, (1 - alpha L)^2, (1 + lambda_2) / 2)^t",
                   .source = "header of nids, after Alghunaim, Ryu, Yuan, Sayed 2021"};
}

}  // namespace lagnet
