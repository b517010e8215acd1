#include "algorithms/federated/compressed/marina.hpp"

#include <cmath>
#include <utility>

namespace lagnet {

Task<> Marina::train(Agent& me) const {
  const SmoothPart f_k = part_of_client(me.id());
  StateVector g = me.vector(d());  // grad f_k(x)                      (d)
  StateVector old = g;             // grad f_k(x_old)                  (d)
  StateVector q = g;               // what is sent of the difference   (d)
  Message request;                 // x                                (d)
  CompressionDraws u;
  auto gradient = [&] {
    old = g;
    g = f_k.gradient(request.body.view());  // (1)
  };
  auto difference = [&] {
    gradient();
    q = g - old;
    Q_(q, u);  // (2)
  };
  const Cost work = f_k.gradient_work() + vector_work(d(), 3) + compression_work();
  for (;;) {
    request = co_await next_request(me);
    if (is_full(me, request.round)) {
      co_await me.compute(f_k.gradient_work(), gradient);
      me.answer(request, g);
    } else {
      u = Q_.draws(me, request.round);
      co_await me.compute(work, difference);
      me.answer(request, Q_.payload(me, q));
    }
  }
}

bool Marina::is_full(const Agent& me, Round t) const {
  return t == 1 || Draws(me.seed(), Purpose{"marina"}, server_agent, t).uniform() < p_;
}

Marina::Marina(const MarinaOptions& options, MethodInput given)
    : EstimateMethod(MarinaOptions::kind, MarinaOptions::traits, options.compressor, std::move(given), 3) {
  const double omega = need_omega(options.compressor, MarinaOptions::kind);
  p_ = options.p.value_or(1 / (1 + omega));
  if (options.step) {
    s_ = *options.step;
  } else if (has_numbers()) {
    const double L = mean_curvature(options.L), m = static_cast<double>(agents() - 1);
    add_constant("L_tilde", L);
    s_ = 1 / (L * (1 + std::sqrt((1 - p_) * omega / (p_ * m))));
  }
  if (s_ > 0) add_constant("step", s_);
  add_constant("p", p_);
  add_constants(Q_.constants());
}

}  // namespace lagnet
