#include "algorithms/peers/netlasso.hpp"

namespace lagnet {

Task<> NetLasso::run(Agent& me) const {
  const double s = steps_.s;
  const Cost gradient_cost = gradient_work(me.id());
  StateVector theta = me.vector(d());  // the iterate                              (d)
  StateVector g = theta;               // the last gradient of f_i                 (d)
  StateVector y = theta;               // tracks the mean of all agents' gradients (d)

  auto start = [&] { y = g = gradient(me.id(), theta); };
  auto descend = [&] {
    theta -= s * y;
    theta = P_(theta, s);
  };
  auto track = [&] {
    const Vector h = gradient(me.id(), theta);
    y += h - g;
    g = h;
  };

  me.report(0, theta);
  co_await me.compute(gradient_cost, start);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(prox_work(2, 4), descend);
    co_await mix(me, theta);
    co_await me.compute(gradient_cost + vector_work(2, 4), track);
    co_await mix(me, y);
    me.report(t, theta);
  }
}

}  // namespace lagnet
