#include "algorithms/peers/k_gt.hpp"

namespace lagnet {

Task<> KGt::run(Agent& me) const {
  const Index K = options().local.local_steps;
  const double alpha = alpha_, all_K = options().local.K() * alpha, eta_s = options().server_step;
  StateVector x = me.vector(d());          // the iterate                                     (d)
  StateVector v = x;                       // moves along the local steps                     (d)
  StateVector z = x;                       // mean direction of these                         (d)
  StateVector c = x;                       // mean of all agents' directions less the own one (d)
  StateVector mixed = me.vector(2 * d());  // x - K alpha eta_s z and z                       (2 d)
  Minibatches batches = minibatches(me, 1, options().local.batch, K);

  auto descend = [&] {
    v = x;
    for (Index k = 0; k < K; ++k) v -= alpha * (gradient(me.id(), v, batches.of_step(k)) + c);
    z = (x - v) / all_K;                      // (1)
    mixed.head(d()) = x - all_K * eta_s * z;  // (2)
    mixed.tail(d()) = z;
  };
  auto combine = [&] {
    c += mixed.tail(d()) - z;  // (3)
    x = mixed.head(d());
  };

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    batches = minibatches(me, t, options().local.batch, K);
    const Cost descent = gradients_work(me.id(), options().local.batch, batches, K) + K * vector_work(3, 4);
    co_await me.compute(descent + vector_work(4, 5), descend);
    co_await mix(me, mixed);
    co_await me.compute(vector_work(2, 5), combine);
    me.report(t, x);
  }
}

}  // namespace lagnet
