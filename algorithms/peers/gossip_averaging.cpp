#include "algorithms/peers/gossip_averaging.hpp"

#include <cmath>

#include "algorithms/local/own_minimizers.hpp"
#include "algorithms/peers/bases/mixing.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

Task<> GossipAveraging::run(Agent& me) const {
  const GossipRow& w = gossip_row(given().network.gossip, me);
  StateVector x = me.vector(given().problem.dim());  // own estimate of the mean   (d)
  StateVector mixed;                                 // w_ii x_i + sum w_ik x_k    (d)

  if (!me.timing_only()) x = start_[me.id()];
  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    mixed = co_await me.neighbor_mix(x, w);
    add_absent(me, w, x, mixed);
    x = std::move(mixed);
    co_await me.compute(mixing_cost(me, x.size()));
    me.report(t, x);
  }
}

GossipAveraging::GossipAveraging(const GossipAveragingOptions&, MethodInput input) : AlikeAgents(std::move(input)) {
  const std::size_t m = reporters().size();
  const std::vector<Index>& starts = given().sample_starts;
  LAGNET_CHECK(starts.size() == m + 1, "{} starts of samples for {} agents", starts.size(), m);
  if (given().timing_only) return;
  LAGNET_CHECK(given().network.gossip.size() == m, "{} rows of W for {} agents", given().network.gossip.size(), m);
  start_ = own_minimizers(given().problem, starts);
}

std::vector<Vector> GossipAveraging::first_report(AgentId agent) const {
  return {given().timing_only ? Vector() : start_[agent]};
}

Evaluation GossipAveraging::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector mean = mean_of(report);
  const double consensus_error = std::sqrt(mean_square_distance(report, mean));
  return {.iterate = mean, .objective = given().problem.objective(mean), .metrics = {consensus_error}};
}

std::optional<Bytes> GossipAveraging::memory() const {
  return Bytes{sizeof(double)} * 5 * given().network.agents * given().problem.dim();
}

}  // namespace lagnet
