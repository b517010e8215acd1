#include "algorithms/peers/compressed/beer.hpp"

#include <utility>

namespace lagnet {

Task<> Beer::run(Agent& me) const {
  const double eta = options_.step, gamma = options_.gamma;
  const Compression& Q = exchange_.Q();
  const Cost gradient_cost = gradient_work(me.id());
  const Index deg = me.degree();
  StateVector x = me.vector(d());  // the iterate                                                 (d)
  StateVector g = x;               // grad f_i(x)                                                 (d)
  StateVector v = x;               // tracks the mean of all agents' gradients                    (d)
  StateVector h = x, hw = x;       // what the neighbors know of x, and its mix W H               (d)
  StateVector k = x, kw = x;       // G and Gw, the same of v                                     (d)
  StateVector qh = x, qg = x;      // the compressed differences                                  (d)
  StateVector wq;                  // w_ii q_i + sum_j w_ij q_j of qh, then of qg                 (2 d)
  CompressionDraws u;

  auto start = [&] { v = g = gradient(me.id(), x); };
  auto descend = [&] {
    x += gamma * (hw - h) - eta * v;  // (1)
    const Vector g_new = gradient(me.id(), x);
    v += gamma * (kw - k) + g_new - g;  // (2)
    g = g_new;
    qh = x - h;  // (3)
    Q(qh, u);
    qg = v - k;
    Q(qg, u);
  };
  auto follow = [&] {  // (4)
    h += qh;
    hw += wq.head(d());
    k += qg;
    kw += wq.tail(d());
  };

  me.report(0, x);
  co_await me.compute(gradient_cost, start);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    u = Q.draws(me, t);
    co_await me.compute(gradient_cost + exchange_.work(12, 0, 2, 16), descend);
    wq = co_await exchange_.mix(me, qh, qg);
    co_await me.compute(exchange_.work(0, 2 * (2 * deg + 3), 0, 2 * (deg + 5)), follow);
    me.report(t, x);
  }
}

Beer::Beer(const BeerOptions& options, MethodInput input)
    : PeerAlgorithm(std::move(input), BeerOptions::kind, BeerOptions::traits),
      options_(options),
      exchange_(options.compressor, given()) {
  add_constants(constants_of(options));
  add_constants(exchange_.Q().constants());
  add_warnings(warn_unless_contractive(exchange_.Q().compressor(), BeerOptions::kind));
}

}  // namespace lagnet
