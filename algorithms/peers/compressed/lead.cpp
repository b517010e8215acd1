#include "algorithms/peers/compressed/lead.hpp"

#include <utility>

namespace lagnet {

Task<> Lead::run(Agent& me) const {
  const double eta = eta_, alpha = options().alpha, gamma = options().gamma;
  const Compression& Q = exchange_.Q();
  const Cost gradient_cost = gradient_work(me.id());
  const Index deg = me.degree();
  StateVector x = me.vector(d());  // the iterate                                         (d)
  StateVector z = x;               // what a step without neighbors gives                 (d)
  StateVector D = x;               // dual vector, which adds up to 0 over the agents     (d)
  StateVector h = x;               // H, what z is compared with                          (d)
  StateVector hw = x;              // W H                                                 (d)
  StateVector q = x;               // the compressed difference                           (d)
  StateVector zh = x, zw = x;      // what the neighbors know of z, and its mix W Zh      (d)
  StateVector E = x;               // how far the agents are apart in it                  (d)
  StateVector wq;                  // w_ii q_i + sum_j w_ij q_j                           (d)
  CompressionDraws u;

  auto first = [&] {
    z = x - eta * gradient(me.id(), x);
    x = P_(z, eta);
  };
  auto compress = [&] {
    z = x - eta * gradient(me.id(), x) - eta * D;  // (1)
    q = z - h;
    Q(q, u);         // (2)
    zh = h + q;      // (3)
    h += alpha * q;  // (4)
  };
  auto descend = [&] {
    zw = hw + wq;                // (3)
    hw += alpha * (zw - hw);     // (4)
    E = zh - zw;                 // (5)
    D += gamma / (2 * eta) * E;  // (6)
    z -= gamma / 2 * E;          // (7)
    x = P_(z, eta);
  };

  me.report(0, x);
  co_await me.compute(gradient_cost + prox_work(2, 3), first);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    u = Q.draws(me, t);
    co_await me.compute(gradient_cost + exchange_.work(5, 3, 1, 9), compress);
    wq = co_await exchange_.mix(me, q);
    co_await me.compute(prox_work(0, 0) + exchange_.work(8, 2 * deg + 2, 0, deg + 10), descend);
    me.report(t, x);
  }
}

Lead::Lead(const LeadOptions& options, MethodInput input)
    : ProximalMethod(options, std::move(input)), exchange_(options.compressor, given()) {
  if (options.step)
    eta_ = positive("step", *options.step);
  else if (!given().timing_only)
    eta_ = 1 / largest_curvature_of_agents("step");
  if (eta_ > 0) add_constant("step", eta_);
  add_constants(constants_of(options));
  add_constants(exchange_.Q().constants());
  add_warnings(warn_unless_unbiased(exchange_.Q().compressor(), LeadOptions::kind));
}

}  // namespace lagnet
