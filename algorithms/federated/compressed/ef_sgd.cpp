#include "algorithms/federated/compressed/ef_sgd.hpp"

#include <utility>
#include <vector>

namespace lagnet {

Task<> EfSgd::serve(Agent& me) const {
  StateVector x = clients().start(me);  // the model                        (d)
  StateVector p = me.vector(d());       // how far it should move           (d)
  StateVector q = p;                    // how far it moves, compressed     (d)
  StateVector e = p;                    // what compression has left out    (d)
  std::vector<Message> steps;           // c_k                              (d each)
  CompressionDraws u;

  auto move = [&] {
    take_mean(steps, p);
    x -= p;  // (2)
  };
  auto move_compressed = [&] {
    take_mean(steps, p);
    p += e;
    q = p;
    Q_(q, u);
    e = p - q;
    x -= q;  // (3)
  };

  me.report(0, x);
  for (Round t = 1; t <= rounds(); ++t) {
    const Payload request = compresses_down_ ? Q_.payload(me, q) : Payload(x);
    steps = co_await ask(me, t, request);
    if (compresses_down_) {
      u = Q_.draws(me, t);
      const Cost work = mean_of_kept_work(steps.size(), 2 * d() + Q_.kept(), 12) + compression_work();
      co_await me.compute(work, move_compressed);
    } else {
      co_await me.compute(mean_of_kept_work(steps.size(), d(), 5), move);
    }
    me.report(t, x);
  }
}

Task<> EfSgd::train(Agent& me) const {
  const SmoothPart f_k = part_of_client(me.id());
  StateVector x = clients().start(me);  // the model, or its own copy of it (d)
  StateVector e = me.vector(d());       // what compression has left out    (d)
  StateVector p = e;                    // how far it should move           (d)
  StateVector c = e;                    // what is sent                     (d)
  Message request;                      // x, or q                          (d)
  CompressionDraws u;
  auto step = [&] {
    if (compresses_down_)
      x -= request.body.view();  // (3)
    else
      x = request.body.view();
    p = s_ * f_k.gradient(x) + e;
    c = p;
    Q_(c, u);
    e = p - c;  // (1)
  };
  const Cost copy = vector_work(compresses_down_ ? Q_.kept() : 0, 3);
  const Cost work = f_k.gradient_work() + vector_work(3 * d(), 8) + compression_work() + copy;
  for (;;) {
    request = co_await next_request(me);
    u = Q_.draws(me, request.round);
    co_await me.compute(work, step);
    me.answer(request, Q_.payload(me, c));
  }
}

EfSgd::EfSgd(const EfSgdOptions& options, MethodInput given)
    : CompressedMethod(EfSgdOptions::kind, EfSgdOptions::traits, options.compressor, std::move(given), 4),
      compresses_down_(options.compress_down) {
  need_contractive(Q_.compressor(), options.compressor);
  if (options.step) {
    s_ = *options.step;
  } else if (has_numbers()) {
    const double L = largest_curvature_of_parts(options.L);
    add_constant("L", L);
    s_ = 1 / (2 * L);
  }
  if (s_ > 0) add_constant("step", s_);
  add_constants(Q_.constants());
}

}  // namespace lagnet
