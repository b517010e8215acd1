#include "algorithms/federated/compressed/ef21_bc.hpp"

#include <utility>
#include <vector>

namespace lagnet {

Task<> Ef21Bc::serve(Agent& me) const {
  StateVector x = clients().start(me);  // the model                        (d)
  StateVector G = me.vector(d());       // sum_k pi_k G_k                   (d)
  StateVector g = G;                    // what all know of it              (d)
  StateVector e = G;                    // what is sent                     (d)
  StateVector c = G;                    // sum_k pi_k c_k                   (d)
  StateVector ahead = G;                // what the prox is taken of        (d)
  std::vector<Message> differences;     // c_k                              (d each)
  CompressionDraws u;

  auto step = [&] {
    take_mean(differences, c);
    G += c;
    e = G - g;
    Q_down_(e, u);         // (2)
    move(e, g, x, ahead);  // (3)
  };

  me.report(0, x, g, G);
  for (Round t = 1; t <= rounds(); ++t) {
    const Payload request = Q_down_.payload(me, e);
    differences = co_await ask(me, t, request);
    u = Q_down_.draws(me, t);
    const Cost work = mean_of_kept_work(differences.size(), 2 * d(), 6) + compression_work(Q_down_) + move_work();
    co_await me.compute(work, step);
    me.report(t, x, g, G);
  }
}

Task<> Ef21Bc::train(Agent& me) const {
  const SmoothPart f_k = part_of_client(me.id());
  StateVector x = clients().start(me);  // own copy of the model            (d)
  StateVector g = me.vector(d());       // along which it goes              (d)
  StateVector G = g;                    // own estimate of grad f_k         (d)
  StateVector c = g;                    // what is sent                     (d)
  StateVector ahead = g;                // what the prox is taken of        (d)
  Message request;                      // e                                (d)
  CompressionDraws u;
  auto difference = [&] {
    if (request.round > 1) move(request.body.view(), g, x, ahead);  // (3)
    c = f_k.gradient(x) - G;
    Q_(c, u);  // (1)
    G += c;    // (1)
  };
  const Cost work = f_k.gradient_work() + vector_work(d(), 3) + compression_work() + vector_work(Q_.kept(), 3);
  for (;;) {
    request = co_await next_request(me);
    u = Q_.draws(me, request.round);
    const Cost moving = request.round > 1 ? move_work() : Cost();
    co_await me.compute(work + moving, difference);
    me.answer(request, Q_.payload(me, c));
  }
}

void Ef21Bc::move(VectorRef e, StateVector& g, StateVector& x, StateVector& ahead) const {
  g += e;
  ahead = x - s_ * g;
  x = prox(ahead, s_);
}

Cost Ef21Bc::move_work() const { return vector_work(Q_down_.kept() + 2 * d() + prox_flops(), 8); }

Ef21Bc::Ef21Bc(const Ef21BcOptions& options, MethodInput given)
    : CompressedMethod(Ef21BcOptions::kind, Ef21BcOptions::traits, options.compressor, std::move(given), 4),
      Q_down_(options.compressor_down.value_or(options.compressor), this->given()),
      s_(options.step) {
  need_contractive(Q_.compressor(), options.compressor);
  if (options.compressor_down) need_contractive(Q_down_.compressor(), *options.compressor_down, "compressor_down");
  add_constant("step", s_);
  add_constants(Q_.constants());
  if (options.compressor_down) add_constant("delta_down", Q_down_.compressor().delta());
}

}  // namespace lagnet
