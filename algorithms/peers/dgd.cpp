#include "algorithms/peers/dgd.hpp"

#include <cmath>

namespace lagnet {

Task<> Dgd::run(Agent& me) const {
  double alpha = alpha_;
  StateVector x = me.vector(d());  // the iterate            (d)
  StateVector g = x;               // gradient of f_i at x   (d)

  auto evaluate = [&] { g = gradient(me.id(), x); };
  auto descend = [&] {  // (3)
    x -= alpha * g;
    x = P_(x, alpha);
  };

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    alpha = alpha_ / std::pow(static_cast<double>(t), options().decay);
    co_await me.compute(gradient_work(me.id()), evaluate);
    co_await mix(me, x);
    co_await me.compute(prox_work(2, 4), descend);
    me.report(t, x);
  }
}

}  // namespace lagnet
