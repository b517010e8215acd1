#include "algorithms/peers/compressed/choco_sgd.hpp"

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
  Minibatches batch = minibatches(me, 1, options_.batch, 1);

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
    batch = minibatches(me, t, options_.batch, 1);
    u = Q.draws(me, t);
    const Cost of_gradient = gradients_work(me.id(), options_.batch, batch, 1);
    co_await me.compute(of_gradient + exchange_.work(3, 1, 1, 6) + of_average(gossips_first), descend);
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
