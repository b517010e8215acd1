#include "algorithms/federated/compressed/dasha.hpp"

#include <cmath>
#include <utility>

namespace lagnet {

Task<> Dasha::train(Agent& me) const {
  const SmoothPart f_k = part_of_client(me.id());
  StateVector h = me.vector(d());  // own last gradient                (d)
  StateVector G = h;               // what the server knows of it      (d)
  StateVector g = h;               // grad f_k(x)                      (d)
  StateVector q = h;               // what is sent                     (d)
  Message request;                 // x                                (d)
  CompressionDraws u;
  auto start = [&] {
    h = f_k.gradient(request.body.view());
    G = h;
  };
  auto difference = [&] {
    g = f_k.gradient(request.body.view());
    q = g - h - a_ * (G - h);
    Q_(q, u);  // (1)
    h = g;     // (1)
    G += q;    // (1)
  };
  const Cost work = f_k.gradient_work() + vector_work(4 * d(), 6) + compression_work() + vector_work(Q_.kept(), 3);
  for (;;) {
    request = co_await next_request(me);
    if (is_full(me, request.round)) {
      co_await me.compute(f_k.gradient_work(), start);
      me.answer(request, h);
    } else {
      u = Q_.draws(me, request.round);
      co_await me.compute(work, difference);
      me.answer(request, Q_.payload(me, q));
    }
  }
}

Dasha::Dasha(const DashaOptions& options, MethodInput given)
    : EstimateMethod(DashaOptions::kind, DashaOptions::traits, options.compressor, std::move(given), 4) {
  const double omega = need_omega(options.compressor, DashaOptions::kind);
  a_ = options.a.value_or(1 / (2 * omega + 1));
  if (options.step) {
    s_ = *options.step;
  } else if (has_numbers()) {
    const double L_tilde = mean_curvature(options.L), L_f = curvature_of_mean(options.L);
    add_constant("L_f", L_f);
    add_constant("L_tilde", L_tilde);
    s_ = 1 / (L_f + L_tilde * std::sqrt(16 * omega * (2 * omega + 1) / static_cast<double>(agents() - 1)));
  }
  if (s_ > 0) add_constant("step", s_);
  add_constant("a", a_);
  add_constants(Q_.constants());
}

}  // namespace lagnet
