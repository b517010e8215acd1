#include "algorithms/peers/dgd.hpp"

#include <cmath>

namespace lagnet {

Task<> Dgd::run(Agent& me) const {
  double alpha = alpha_;
  StateVector x = me.vector(d());  // the iterate            (d)
  StateVector u = x;               // what it steps along    (d)
  DescentDirection direction = direction_of(me);
  const bool adapts_first = options().form == DgdForm::adapt_then_combine;

  auto evaluate = [&] {
    u = direction.at(x);               // (1)
    if (adapts_first) x -= alpha * u;  // (3)
  };
  auto descend = [&] {
    if (!adapts_first) x -= alpha * u;  // (2)
    x = P_(x, alpha);
  };
  const Cost before = adapts_first ? vector_work(2, 3) : Cost(),
             after = adapts_first ? prox_work(0, 2) : prox_work(2, 4);

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    alpha = alpha_ / std::pow(static_cast<double>(t), options().decay);
    co_await me.compute(direction.draw(t) + before, evaluate);
    co_await mix(me, x);
    co_await me.compute(after, descend);
    me.report(t, x);
  }
}

}  // namespace lagnet
