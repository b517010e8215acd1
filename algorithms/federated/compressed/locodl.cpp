#include "algorithms/federated/compressed/locodl.hpp"

#include <utility>
#include <vector>

namespace lagnet {

Task<> Locodl::serve(Agent& me) const {
  StateVector y = clients().start(me);  // the model that all know          (d)
  StateVector v = me.vector(d());       // its shift                        (d)
  StateVector D = v;                    // half of sum_k pi_k q_k           (d)
  std::vector<Message> differences;     // q_k                              (d each)
  Index T = 0;

  auto step = [&] {
    for (Index j = 0; j < T; ++j) y -= s_ * (lambda_ * y - v);  // (1)
    D.setZero();
    clients().add_mean(differences, 0.5, D);  // (2)
    y += rho_ * D;                            // (4)
    v += p_ * chi_ / s_ * D;                  // (4)
  };

  me.report(0, y, v);
  for (Round t = 1; t <= rounds(); ++t) {
    differences = co_await ask(me, t, D);
    T = local_steps(me, t);
    const auto m = static_cast<Index>(differences.size());
    co_await me.compute(vector_work(4 * d() * T + 2 * m * Q_.kept() + 4 * d(), 3 * T + m + 7), step);
    me.report(t, y, v);
  }
}

Task<> Locodl::train(Agent& me) const {
  const SmoothPart f_k(clients().samples(me.id()), loss(), b() - lambda_);
  StateVector x = clients().start(me);  // own model                        (d)
  StateVector y = x;                    // the model that all know          (d)
  StateVector u = me.vector(d());       // shift of x                       (d)
  StateVector v = u;                    // shift of y                       (d)
  StateVector q = u;                    // what is sent                     (d)
  Message request;                      // D                                (d)
  CompressionDraws draws;
  Index T = 0;

  auto round = [&] {
    if (request.round > 1) {
      const VectorView D = request.body.view();
      x = (1 - rho_) * x + rho_ * (y + D);  // (3)
      u += p_ * chi_ / s_ * (D - q);        // (3)
      y += rho_ * D;                        // (4)
      v += p_ * chi_ / s_ * D;              // (4)
    }
    for (Index j = 0; j < T; ++j) {
      x -= s_ * (f_k.gradient(x) - u);  // (1)
      y -= s_ * (lambda_ * y - v);      // (1)
    }
    q = x - y;
    Q_(q, draws);  // (2)
  };
  for (;;) {
    request = co_await next_request(me);
    T = local_steps(me, request.round);
    draws = Q_.draws(me, request.round);
    const Cost steps = times(T, f_k.gradient_work() + vector_work(7 * d(), 7));
    const Cost agreeing = request.round > 1 ? vector_work(11 * d(), 12) : Cost();
    co_await me.compute(agreeing + steps + vector_work(d() + Q_.flops(), 5), round);
    me.answer(request, Q_.payload(me, q));
  }
}

Locodl::Locodl(const LocodlOptions& options, MethodInput given)
    : CoinMethod(LocodlOptions::kind, options.traits(),
                 {.step = options.step, .p = options.p, .mu = options.mu, .L = options.L}, std::move(given), 5),
      Q_(options.compressor, this->given()),
      lambda_(options.share * b()) {
  if (!(b() > 0))
    throw Diagnosed(
        {{"/problem/regularizer", "l2 with a weight above 0 for locodl", "no square", Diagnostic::Place::pointer}});
  need_unbiased(Q_.compressor(), options.compressor, LocodlOptions::kind);
  const double omega = Q_.compressor().omega().value_or(0);
  chi_ = options.chi.value_or(1 / (1 + omega));
  rho_ = options.rho.value_or(1 / (1 + omega));
  add_constant("chi", chi_);
  add_constant("rho", rho_);
  add_constant("lambda", lambda_);
  add_constants(Q_.constants());
  add_warnings(warn_unless_unbiased(Q_.compressor(), LocodlOptions::kind));
}

}  // namespace lagnet
