#include "algorithms/federated/compressed/diana.hpp"

#include <utility>
#include <vector>

namespace lagnet {

Task<> Diana::serve(Agent& me) const {
  StateVector x = clients().start(me);  // the model                        (d)
  StateVector h = me.vector(d());       // sum_k pi_k h_k                   (d)
  StateVector q = h;                    // sum_k pi_k q_k                   (d)
  StateVector v = h;                    // where x goes along               (d)
  StateVector ahead = h;                // what the prox is taken of        (d)
  std::vector<Message> differences;     // q_k                              (d each)

  auto step = [&] {
    take_mean(differences, q);
    if (momentum_ > 0)
      v = momentum_ * v + h + q;  // (2)
    else
      v = h + q;
    h += alpha_ * q;  // (2)
    ahead = x - s_ * v;
    x = prox(ahead, s_);  // (3)
  };
  const Flops momentum = momentum_ > 0 ? 2 * d() : 0;

  me.report(0, x, h);
  for (Round t = 1; t <= rounds(); ++t) {
    differences = co_await ask(me, t, x);
    co_await me.compute(mean_of_kept_work(differences.size(), 5 * d() + momentum + prox_flops(), 12), step);
    me.report(t, x, h);
  }
}

Task<> Diana::train(Agent& me) const {
  const SmoothPart f_k = part_of_client(me.id());
  StateVector h = me.vector(d());  // own shift                        (d)
  StateVector q = h;               // what is sent                     (d)
  Message request;                 // x                                (d)
  CompressionDraws u;
  auto difference = [&] {
    q = f_k.gradient(request.body.view()) - h;
    Q_(q, u);         // (1)
    h += alpha_ * q;  // (1)
  };
  const Cost work = f_k.gradient_work() + vector_work(d(), 3) + compression_work() + vector_work(2 * Q_.kept(), 3);
  for (;;) {
    request = co_await next_request(me);
    u = Q_.draws(me, request.round);
    co_await me.compute(work, difference);
    me.answer(request, Q_.payload(me, q));
  }
}

Diana::Diana(const DianaOptions& options, MethodInput given)
    : CompressedMethod(DianaOptions::kind, DianaOptions::traits, options.compressor, std::move(given), 2),
      momentum_(options.momentum) {
  const double omega = need_omega(options.compressor, DianaOptions::kind);
  alpha_ = options.alpha.value_or(1 / (1 + omega));
  if (options.step) {
    s_ = *options.step;
  } else if (has_numbers()) {
    const double L = largest_curvature_of_parts(options.L), m = static_cast<double>(agents() - 1);
    add_constant("L", L);
    s_ = 1 / (L * (1 + 6 * omega / m));
  }
  if (s_ > 0) add_constant("step", s_);
  add_constant("alpha", alpha_);
  add_constants(Q_.constants());
}

}  // namespace lagnet
