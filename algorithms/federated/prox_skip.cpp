#include "algorithms/federated/prox_skip.hpp"

#include <utility>
#include <vector>

namespace lagnet {

Task<> ProxSkip::serve(Agent& me) const {
  StateVector w = clients().start(me);  // the model                   (d)
  StateVector mean = me.vector(d());    // sum_k pi_k z_k              (d)
  std::vector<Message> ends;            // z_k                         (d each)

  auto combine = [&] {
    mean.setZero();
    clients().add_mean(ends, 1, mean);
    w = prox(mean, s_ / p_);  // (3)
  };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    ends = co_await ask(me, t, w);
    co_await me.compute(mean_work(ends.size(), prox_flops(), 3), combine);
    me.report(t, w);
  }
}

Task<> ProxSkip::train(Agent& me) const {
  const SmoothPart f_k = part_of_client(me.id());
  StateVector x = me.vector(d());  // own model                        (d)
  StateVector h = x;               // own shift                        (d)
  StateVector z = x;               // what the server averages         (d)
  Message request;                 // w                                (d)
  for (;;) {
    request = co_await next_request(me);
    const Index T = local_steps(me, request.round);
    const bool has_shift_to_learn = request.round > 1;
    auto round = [&] {
      const VectorView w = request.body.view();
      if (has_shift_to_learn) h += p_ / s_ * (w - x);                 // (4)
      x = w;                                                          // (4)
      for (Index j = 0; j < T; ++j) x -= s_ * (f_k.gradient(x) - h);  // (1)
      z = x - s_ / p_ * h;                                            // (2)
    };
    const Cost steps = times(T, f_k.gradient_work() + vector_work(3 * d(), 4));
    const Cost shift = has_shift_to_learn ? vector_work(3 * d(), 4) : Cost();
    co_await me.compute(shift + steps + vector_work(2 * d(), 5), round);
    me.answer(request, z);
  }
}

ProxSkip::ProxSkip(const ProxSkipOptions& options, MethodInput given)
    : CoinMethod(ProxSkipOptions::kind, options.traits(),
                 {.step = options.step, .p = options.p, .mu = options.mu, .L = options.L}, std::move(given), 3) {}

}  // namespace lagnet
