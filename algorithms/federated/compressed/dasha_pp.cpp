#include "algorithms/federated/compressed/dasha_pp.hpp"

#include <utility>

namespace lagnet {

Task<> DashaPp::train(Agent& me) const {
  const SmoothPart f_k = part_of_client(me.id());
  StateVector h = me.vector(d());  // follows the own gradient         (d)
  StateVector G = h;               // what the server knows of it      (d)
  StateVector old = h;             // grad f_k(x_old)                  (d)
  StateVector k = h;               // how far h goes, over pa          (d)
  StateVector q = h;               // what is sent                     (d)
  Message request;                 // x, and from round 2 on x_old     (d each)
  CompressionDraws u;
  auto start = [&] {
    h = f_k.gradient(request.body.view());
    G = h;
  };
  auto difference = [&] {
    old = f_k.gradient(part_of(request.body, 1, d()));
    k = f_k.gradient(part_of(request.body, 0, d())) - old - b_ * (h - old);  // (1)
    k = k / pa_;
    q = k - a_ / pa_ * (G - h);
    Q_(q, u);  // (2)
    h += k;    // (2)
    G += q;    // (2)
  };
  const Cost work =
      times(2, f_k.gradient_work()) + vector_work(9 * d(), 14) + compression_work() + vector_work(Q_.kept(), 3);
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

DashaPp::DashaPp(const DashaPpOptions& options, MethodInput given)
    : EstimateMethod(DashaPpOptions::kind, DashaPpOptions::traits, options.compressor, std::move(given), 5) {
  need_even_clients(DashaPpOptions::kind);
  const double omega = need_omega(options.compressor, DashaPpOptions::kind), m = static_cast<double>(agents() - 1);
  pa_ = static_cast<double>(this->given().cohort.value_or(agents() - 1)) / m;
  a_ = options.a.value_or(pa_ / (2 * omega + 1));
  b_ = options.b.value_or(pa_ / (2 - pa_));
  s_ = options.step;
  add_constant("step", s_);
  add_constant("pa", pa_);
  add_constant("a", a_);
  add_constant("b", b_);
  add_constants(Q_.constants());
}

}  // namespace lagnet
