#include "algorithms/peers/dpag.hpp"

namespace lagnet {

// The sheet counts 4 n d + 7 d + 3 K (2 deg + 1) d + P flops a round.
Task<> Dpag::run(Agent& me) const {
  const AgentId i = me.id();
  const double step = steps_.step, q = (1 - steps_.beta) / (1 + steps_.beta);
  StateVector x = me.vector(d());  // the iterate                              (d)
  StateVector x_new = x;           // the next one                             (d)
  StateVector u = x;               // extrapolated, where gradients are taken  (d)
  StateVector g = x;               // the last gradient of f_i                 (d)
  StateVector s = x;               // tracks the mean of all agents' gradients (d)

  auto start = [&] { s = g = gradient(i, u); };
  auto descend = [&] {
    x_new = u - step * s;
    x_new = P_(x_new, step);
  };
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
  co_await mix(me, s);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(prox_work(2, 3), descend);
    co_await mix(me, x_new);
    co_await me.compute(vector_work(3, 4), extrapolate);
    co_await mix(me, u);
    co_await me.compute(gradient_work(i) + vector_work(2, 4), track);
    co_await mix(me, s);
    me.report(t, x);
  }
}

}  // namespace lagnet
