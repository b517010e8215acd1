#include "algorithms/peers/compressed/choco_gossip.hpp"

#include <cmath>
#include <utility>

namespace lagnet {

Task<> ChocoGossip::run(Agent& me) const {
  const double gamma = gamma_;
  const Compression& Q = exchange_.Q();
  const Index deg = me.degree();
  StateVector x = me.vector(d());  // own estimate of the mean                         (d)
  StateVector x_hat = x;           // xh_i, what the neighbors know of it              (d)
  StateVector s = x;               // sum_j w_ij xh_j                                  (d)
  StateVector q = x;               // the compressed difference                        (d)
  StateVector wq;                  // w_ii q_i + sum_j w_ij q_j                        (d)
  CompressionDraws u;

  auto compress = [&] {
    q = x - x_hat;
    Q(q, u);     // (1)
    x_hat += q;  // (2)
  };
  auto average = [&] {
    s += wq;                   // (3)
    x += gamma * (s - x_hat);  // (4)
  };

  if (!me.timing_only()) x = start(me.id());
  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    u = Q.draws(me, t);
    co_await me.compute(exchange_.work(1, 1, 1, 4), compress);
    wq = co_await exchange_.mix(me, q);
    co_await me.compute(exchange_.work(3, 2 * deg + 2, 0, deg + 6), average);
    me.report(t, x);
  }
}

ChocoGossip::ChocoGossip(const ChocoGossipOptions& options, MethodInput input)
    : AveragedStarts(std::move(input)),
      exchange_(options.compressor, given()),
      gamma_(gamma_in_use(options.gamma, given().network, exchange_.Q().compressor())) {
  if (gamma_ > 0) add_constant("gamma", gamma_);
  add_constants(exchange_.Q().constants());
  add_warnings(warn_unless_contractive(exchange_.Q().compressor(), ChocoGossipOptions::kind));
  if (given().timing_only) return;
  std::vector<std::vector<Vector>> starts;
  for (const AgentId i : reporters()) starts.push_back(first_report(i));
  spread_ = mean_square_distance(starts, mean_of(starts));
}

Evaluation ChocoGossip::evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const {
  Evaluation value = AveragedStarts::evaluate(round, report, error_scale);
  std::optional<double> relative;
  if (spread_ > 0) relative = std::sqrt(mean_square_distance(report, value.iterate) / spread_);
  value.metrics = {relative};
  return value;
}

std::optional<Bytes> ChocoGossip::memory() const { return Bytes{sizeof(double)} * 9 * given().network.agents * d(); }

}  // namespace lagnet
