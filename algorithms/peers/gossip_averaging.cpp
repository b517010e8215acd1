#include "algorithms/peers/gossip_averaging.hpp"

#include <cmath>
#include <limits>

#include "algorithms/interface/rate_bound.hpp"
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

std::optional<RateBound> GossipAveraging::rate_bound(const ErrorScale&) const {
  const double rho = given().network.gossip_rho;
  if (!is_undisturbed(given()) || !(rho < 1)) return std::nullopt;
  std::vector<std::vector<Vector>> starts;
  double squared = 0;  // of all starts
  for (const AgentId i : reporters()) {
    starts.push_back({start(i)});
    squared += start(i).squaredNorm();
  }
  // A round rounds each mean of deg + 1 numbers by deg + 1 units of the last place, and the later ones shrink that.
  const double rounding = static_cast<double>(given().network.max_degree + 2) * std::numeric_limits<double>::epsilon() *
                          std::sqrt(squared / static_cast<double>(starts.size())) / (1 - rho);
  return RateBound{.measure = "consensus_error",
                   .C = root_mean_square_distance(starts, mean_of(starts)),
                   .q = rho,
                   .resolution = rounding,
                   .text = "rho^t consensus_error(0), rho = max(|lambda_2|, |lambda_m|)",
                   .source = "Xiao, Boyd 2004"};
}

}  // namespace lagnet
