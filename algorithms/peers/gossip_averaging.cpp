#include "algorithms/peers/gossip_averaging.hpp"

#include "algorithms/peers/bases/mixing.hpp"

namespace lagnet {

Task<> GossipAveraging::run(Agent& me) const {
  OwnRows rows(given().network, me);
  StateVector x = me.vector(d());  // own estimate of the mean   (d)
  StateVector mixed;               // w_ii x_i + sum w_ik x_k    (d)

  if (!me.timing_only()) x = start(me.id());
  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    const GossipRow& w = rows.next();
    mixed = co_await me.neighbor_mix(x, w);
    add_absent(me, w, x, mixed);
    x = std::move(mixed);
    co_await me.compute(mixing_cost(me, x.size()));
    me.report(t, x);
  }
}

Evaluation GossipAveraging::evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const {
  Evaluation value = AveragedStarts::evaluate(round, report, error_scale);
  value.metrics = {root_mean_square_distance(report, value.iterate)};
  return value;
}

}  // namespace lagnet
