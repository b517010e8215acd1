#include "algorithms/peers/extra.hpp"

namespace lagnet {

Task<> Extra::run(Agent& me) const {
  const double alpha = alpha_;
  StateVector x = me.vector(d());  // x^k, the iterate            (d)
  StateVector wx = x;              // W x^k                       (d)
  StateVector half = x;            // (x^{k-1} + W x^{k-1}) / 2   (d)
  StateVector g = x;               // grad f_i(x^k)               (d)
  StateVector g_before = x;        // grad f_i(x^{k-1})           (d)
  StateVector s = x;               // s^k, which P is applied to  (d)
  // These zeros make the first step s^1 = W x^0 - alpha grad f(x^0) from x^0 = 0.

  auto evaluate = [&] {
    g = gradient(me.id(), x);
    wx = x;
  };
  auto descend = [&] {
    s += wx - half - alpha * (g - g_before);  // (2.13)
    half = (x + wx) / 2;
    g_before = g;
    x = P_(s, alpha);
  };

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(gradient_work(me.id()), evaluate);
    co_await mix(me, wx);
    co_await me.compute(prox_work(7, 8), descend);
    me.report(t, x);
  }
}

}  // namespace lagnet
