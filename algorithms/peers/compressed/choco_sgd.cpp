#include "algorithms/peers/compressed/choco_sgd.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lagnet {

Task<> ChocoSgd::run(Agent& me) const {
  const double gamma = gamma_;
  const bool gossips_first = options_.order == ChocoOrder::gossip_first;
  const Compression& Q = exchange_.Q();
  const Index deg = me.degree();
  double step_t = 0;
  StateVector x = me.vector(d());  // the iterate                            (d)
  StateVector x_hat = x;           // xh_i, what the neighbors know of it    (d)
  StateVector s = x;               // sum_j w_ij xh_j                        (d)
  StateVector q = x;               // the compressed difference              (d)
  StateVector wq;                  // w_ii q_i + sum_j w_ij q_j              (d)
  CompressionDraws u;
  Minibatches batch = minibatch(me, 1);

  const auto of_average = [&](bool is_here) { return is_here ? exchange_.work(3, 0, 0, 3) : Cost(); };
  auto descend = [&] {
    x -= step_t * gradient(me.id(), x, batch.of_step(0));  // (1)
    if (gossips_first) x += gamma * (s - x_hat);           // (5)
    q = x - x_hat;
    Q(q, u);     // (2)
    x_hat += q;  // (3)
  };
  auto average = [&] {
    s += wq;                                       // (4)
    if (!gossips_first) x += gamma * (s - x_hat);  // (5)
  };

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    step_t = step(t);
    batch = minibatch(me, t);
    u = Q.draws(me, t);
    co_await me.compute(batch_work(me.id(), batch) + exchange_.work(3, 1, 1, 6) + of_average(gossips_first), descend);
    wq = co_await exchange_.mix(me, q);
    co_await me.compute(exchange_.work(0, 2 * deg + 2, 0, deg + 3) + of_average(!gossips_first), average);
    me.report(t, x);
  }
}

double ChocoSgd::step(Round t) const {
  const auto rounds = static_cast<double>(t);
  if (options_.horizon) return options_.step / (1 + rounds / *options_.horizon);
  return options_.step / std::pow(rounds, options_.decay);
}

Minibatches ChocoSgd::minibatch(const Agent& me, Round t) const {
  const RowBlock& own = samples(me.id());
  const bool matters = !me.timing_only() || own.is_sparse();  // the rows of a sparse batch make its work
  return {own.rows(), options_.batch, matters ? 1 : 0, me.draws(Purpose{"minibatch"}, t)};
}

Cost ChocoSgd::batch_work(AgentId i, const Minibatches& batch) const {
  const Index n = samples(i).rows(), b = std::min(options_.batch.value_or(n), n);
  if (b == n) return gradient_work(i);
  if (samples(i).is_sparse()) return gradient_work(i, batch.of_step(0));
  return gradient_work(i, all_samples(i).first(static_cast<std::size_t>(b)));  // dense ones cost the same
}

ChocoSgd::ChocoSgd(const ChocoSgdOptions& options, MethodInput input)
    : PeerAlgorithm(std::move(input), ChocoSgdOptions::kind, ChocoSgdOptions::traits),
      options_(options),
      exchange_(options.compressor, given()),
      gamma_(gamma_in_use(options.gamma, given().network, exchange_.Q().compressor())) {
  add_constant("step", options.step);
  if (gamma_ > 0) add_constant("gamma", gamma_);
  add_constants(exchange_.Q().constants());
  add_warnings(warn_unless_contractive(exchange_.Q().compressor(), ChocoSgdOptions::kind));
}

}  // namespace lagnet
